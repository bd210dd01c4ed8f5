/** Finds processes that daemons of a data directory left running. Read-only; a sweep ends them. */
import { isOursOrOrphaned } from "./end-marked-processes.ts";
import { belongsToDaemon, daemonOf, ownerOf } from "./owner-marker.ts";
import { type ProcessIdentity, processTable } from "./process-table.ts";

export interface MarkedProcesses {
  /** Left by a daemon that died, or started by this process. */
  readonly leftover: readonly number[];
  /** Started by another daemon that is alive. */
  readonly attended: readonly number[];
  /** That daemon. */
  readonly livingDaemon?: ProcessIdentity;
}

export async function findMarkedProcesses(daemonId: string): Promise<MarkedProcesses> {
  const marked = (await processTable.list()).flatMap(({ pid, zombie, marker }) =>
    marker !== undefined && !zombie && belongsToDaemon(ownerOf(marker), daemonId) ? [{ pid, marker }] : [],
  );
  const attended = marked.filter(({ marker }) => daemonOf(marker) && !isOursOrOrphaned(marker));
  return {
    leftover: marked.filter(({ marker }) => isOursOrOrphaned(marker)).map(({ pid }) => pid),
    attended: attended.map(({ pid }) => pid),
    livingDaemon: attended[0] && daemonOf(attended[0].marker),
  };
}
