/** Checks whether a daemon runs on the data directory, whether it is healthy, and asks it what it sees. */
import { Client } from "../../sdk/client.ts";
import { HttpClient } from "../../sdk/http.ts";
import { readDaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import type { Finding } from "./finding.ts";
import { askRunningDaemon, type RunningDaemon } from "./running-daemon.ts";

interface DaemonFindings {
  readonly runs: boolean;
  readonly findings: Finding[];
  /** Where it is healthy and takes our token. */
  readonly daemon?: RunningDaemon;
}

const about = "daemon";

export async function checkDaemon(
  directory: string,
  environment: NodeJS.ProcessEnv,
): Promise<DaemonFindings> {
  const info = readDaemonInfo(directory);
  if (!info) {
    const detail = "none runs; start one with interlingua serve";
    return { runs: false, findings: [{ about, state: "ok", detail }] };
  }
  if (!info.url) {
    const detail = `process ${info.pid} is still starting`;
    return { runs: true, findings: [{ about, state: "warning", detail }] };
  }
  const finding = await checkHealth(info.url, `process ${info.pid} at ${info.url}`);
  if (finding.state !== "ok") return { runs: true, findings: [finding] };
  try {
    return { runs: true, findings: [finding], daemon: await askRunningDaemon(directory, environment) };
  } catch (error) {
    const detail = `${finding.detail} cannot be asked what it sees: ${(error as Error).message}`;
    return { runs: true, findings: [{ about, state: "warning", detail }] };
  }
}

async function checkHealth(url: string, who: string): Promise<Finding> {
  try {
    const client = new Client(new HttpClient({ baseUrl: url }));
    const health = await client.health(AbortSignal.timeout(5_000));
    if (health.status === "ok") return { about, state: "ok", detail: who };
    return {
      about,
      state: "problem",
      detail: `${who}: ${health.problem ?? `its health is ${health.status}`}`,
    };
  } catch {
    const detail = `${who} does not answer. Look at its log, or end it and start again.`;
    return { about, state: "problem", detail };
  }
}
