/**
 * Two nodes on copies of one data directory have one id: each would take the other for its predecessor and declare it
 * dead, for ever. So whoever finds its id in use by a node it does not know looks whether that one beats.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { LeaseTimes } from "./lease-times.ts";
import type { NodeBeat } from "./observed-beats.ts";

/** Another daemon lives under the id of this data directory. Nothing helps but a change of one of them. */
export class CopiedDataDirectoryError extends Error {
  constructor(data: string, node: number) {
    super(
      `The data directory ${data} is a copy of one that another node works with (number ${node} of "interlingua nodes"). ` +
        `Nodes need data directories of their own: delete ${data}/daemon-id here, or give an empty directory with --data.`,
    );
    this.name = "CopiedDataDirectoryError";
  }
}

/**
 * Returns at once where nobody else has the id, as after every ordinary restart; else after the time in which a living one
 * must have beaten. Throws a CopiedDataDirectoryError if it did.
 */
export async function assertSoleDaemon(
  table: { findNamesakes(): Promise<NodeBeat[]> },
  { times, data }: { times: LeaseTimes; data: string },
): Promise<void> {
  const first = await table.findNamesakes();
  if (first.length === 0) return;
  const beats = new Map(first.map(({ id, beat }) => [id, beat]));
  const until = performance.now() + times.freezeMs;
  while (performance.now() < until) {
    await pause(times.beatMs / 4);
    const now = await table.findNamesakes();
    if (now.length === 0) return;
    const living = now.find(({ id, beat }) => beats.get(id) !== beat);
    if (living) throw new CopiedDataDirectoryError(data, living.id);
  }
}
