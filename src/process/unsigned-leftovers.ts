/**
 * What a daemon of an earlier version left running. Its markers name no daemon: `<id>/<session>#<number>`, with the id as it
 * stands in the file, which a copy of the data directory has too. So it may belong to a daemon that lives on the directory
 * this one was copied from, and is only told of. Looking only.
 */
import { belongsToDaemon, daemonOf, ownerOf } from "./owner-marker.ts";
import { processTable } from "./process-table.ts";

/** Who adopts the children of the dead. */
const INIT = 1;

/** Their pids. None while any of them has a parent that lives: then a daemon looks after them. */
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
