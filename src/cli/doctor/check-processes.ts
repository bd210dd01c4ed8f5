/** Checks whether a daemon that died left agents running. */
import { readDaemonId } from "../../config/daemon-id.ts";
import { findMarkedProcesses } from "../../process/marked-processes.ts";
import type { Finding } from "./finding.ts";

export async function checkProcesses(directory: string, daemonRuns: boolean): Promise<Finding> {
  const about = "processes";
  const daemonId = readDaemonId(directory);
  if (daemonId === undefined) return { about, state: "ok", detail: "no agent has run yet" };
  const { attended, leftover } = await findMarkedProcesses(daemonId);
  if (leftover.length > 0) {
    return {
      about,
      state: "problem",
      detail: `A daemon that died left ${leftover.join(", ")} running. The next interlingua serve ends them.`,
    };
  }
  if (daemonRuns) return { about, state: "ok", detail: `the daemon's agents: ${attended.length}` };
  return { about, state: "ok", detail: "nothing left over" };
}
