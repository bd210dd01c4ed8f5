/** Checks whether a daemon runs on the data directory, and whether it is healthy. */
import { Client } from "../../sdk/client.ts";
import { HttpClient } from "../../sdk/http.ts";
import { readDaemonInfo } from "../../store/sqlite/data-directory-lock.ts";
import type { Finding } from "./finding.ts";

export async function checkDaemon(directory: string): Promise<{ finding: Finding; runs: boolean }> {
  const about = "daemon";
  const info = readDaemonInfo(directory);
  if (!info) {
    return {
      runs: false,
      finding: { about, state: "ok", detail: "none runs; start one with interlingua serve" },
    };
  }
  if (!info.url) {
    return {
      runs: true,
      finding: { about, state: "warning", detail: `process ${info.pid} is still starting` },
    };
  }
  const who = `process ${info.pid} at ${info.url}`;
  try {
    const client = new Client(new HttpClient({ baseUrl: info.url }));
    const health = await client.health(AbortSignal.timeout(5_000));
    if (health.status === "ok") return { runs: true, finding: { about, state: "ok", detail: who } };
    const problem = health.problem ?? `its health is ${health.status}`;
    return { runs: true, finding: { about, state: "problem", detail: `${who}: ${problem}` } };
  } catch {
    const detail = `${who} does not answer. Look at its log, or end it and start again.`;
    return { runs: true, finding: { about, state: "problem", detail } };
  }
}
