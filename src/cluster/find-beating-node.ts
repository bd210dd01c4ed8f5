/** Which of some nodes in the table lives: one that was killed is in it, too, until others have declared it dead. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LeaseTimes } from "./lease-times.ts";
import type { NodeBeat } from "./observed-beats.ts";

export interface FindBeatingNode {
  times: LeaseTimes;
  /** Called once where it has to wait, with how long at most. */
  onWait?(milliseconds: number): void;
}

/**
 * The first that beats, or has joined meanwhile. Undefined at once where there are none, else after the time in which a
 * living one must have beaten.
 *
 * @param read Those that are not declared dead.
 */
export async function findBeatingNode<Node extends NodeBeat>(
  read: () => Promise<Node[]>,
  { times, onWait }: FindBeatingNode,
): Promise<Node | undefined> {
  const first = await read();
  if (first.length === 0) return undefined;
  onWait?.(times.freezeMs);
  const beats = new Map(first.map(({ id, beat }) => [id, beat]));
  const until = performance.now() + times.freezeMs;
  while (performance.now() < until) {
    await sleep(times.beatMs / 4);
    const now = await read();
    if (now.length === 0) return undefined;
    const living = now.find(({ id, beat }) => beats.get(id) !== beat);
    if (living) return living;
  }
  return undefined;
}
