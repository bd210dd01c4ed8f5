/**
 * Finds what a daemon of an earlier version left running. Its markers name no daemon: `<id>/<session>#<number>`, with
 * the id from the file, which a copy of the data directory has too. So it may belong to a living daemon of the original
 * directory, and is only reported. Read-only.
 */
import { belongsToDaemon, daemonOf, ownerOf } from "./owner-marker.ts";
import { processTable } from "./process-table.ts";

/** The process that adopts orphans. */
const INIT = 1;

/** Their pids. None while any of them has a living parent: then a daemon looks after them. */
export async function findUnsignedLeftovers(id: string): Promise<number[]> {
  const unsigned = (await processTable.list()).filter(
    ({ marker, zombie }) => marker !== undefined && !zombie && isUnsigned(marker, id),
  );
  const pids = unsigned.map(({ pid }) => pid);
  const parents = new Set([INIT, ...pids]);
  return unsigned.every(({ parent }) => parents.has(parent)) ? pids : [];
}

function isUnsigned(marker: string, id: string): boolean {
  return daemonOf(marker) === undefined && belongsToDaemon(ownerOf(marker).replace(/#\d+$/, ""), id);
}
