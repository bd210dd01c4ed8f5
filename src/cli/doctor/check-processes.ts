/** Whether a daemon that died left agents running. */
import { readDaemonId } from "../../config/daemon-id.ts";
import { belongsToDaemon, ownerOf } from "../../process/owner-marker.ts";
import { processTable } from "../../process/process-table.ts";
import type { Finding } from "./finding.ts";

export async function checkProcesses(directory: string, daemonRuns: boolean): Promise<Finding> {
  const about = "processes";
  const daemonId = readDaemonId(directory);
  if (daemonId === undefined) return { about, state: "ok", detail: "no agent has run yet" };
  const entries = await processTable.list();
  const pids = entries
    .filter(({ marker, zombie }) => marker && !zombie && belongsToDaemon(ownerOf(marker), daemonId))
    .map(({ pid }) => pid);
  if (daemonRuns) return { about, state: "ok", detail: `the daemon's agents: ${pids.length}` };
  if (pids.length === 0) return { about, state: "ok", detail: "nothing left over" };
  return {
    about,
    state: "problem",
    detail: `A daemon that died left ${pids.join(", ")} running. The next interlingua serve ends them.`,
  };
}
