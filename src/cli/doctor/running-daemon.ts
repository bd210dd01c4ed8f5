/** What the daemon on the data directory sees. It has the environment it was started with, not that of this shell. */
import type { Agent } from "../../sdk/types.ts";
import { type DaemonInfo, readDaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import { clientOf } from "../connect-daemon.ts";
import { daemonOn } from "../find-daemon.ts";
import { probeAll } from "../probe-agents.ts";

export interface RunningDaemon {
  readonly info: DaemonInfo;
  readonly agents: readonly Agent[];
  readonly defaultAgent: string;
}

/** Rejects with a sentence where it cannot be asked. */
export async function askRunningDaemon(
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<RunningDaemon> {
  const daemon = daemonOn(directory, environment);
  const client = await clientOf(daemon.url, () => daemon);
  return {
    info: readDaemonInfo(directory)!,
    agents: await probeAll(client),
    defaultAgent: await client.agents.default(),
  };
}
