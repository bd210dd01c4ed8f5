/**
 * What a daemon of an earlier version left running. Its markers name no daemon: `<id>/<session>#<number>`, with the id as it
 * stands in the file, which a copy of the data directory has too. So nothing is ended while any of it has a parent that
 * lives: that may be a daemon on the directory this one was copied from.
 */
import { endProcesses } from "./end-processes.ts";
import { belongsToDaemon, daemonOf, ownerOf } from "./owner-marker.ts";
import { type ProcessEntry, processTable } from "./process-table.ts";

/** The time between SIGTERM and SIGKILL. */
const GRACE_MS = 500;

/** Who adopts the children of the dead. */
const INIT = 1;

/** Resolves with the pids it ended. */
export async function endUnsignedLeftovers(id: string): Promise<number[]> {
  if (orphans(await processTable.list(), id).length === 0) return [];
  return endProcesses({ select: (entries) => orphans(entries, id), graceMs: GRACE_MS });
}

function orphans(entries: readonly ProcessEntry[], id: string): ProcessEntry[] {
  const unsigned = entries.filter(
    ({ marker, zombie }) => marker !== undefined && !zombie && isUnsigned(marker, id),
  );
  const pids = new Set([INIT, ...unsigned.map(({ pid }) => pid)]);
  return unsigned.every(({ parent }) => pids.has(parent)) ? unsigned : [];
}

function isUnsigned(marker: string, id: string): boolean {
  return daemonOf(marker) === undefined && belongsToDaemon(ownerOf(marker).replace(/#\d+$/, ""), id);
}
