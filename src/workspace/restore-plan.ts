/**
 * Which files go back, and which stay because somebody else has touched them. Pure: it only compares pictures.
 */
import { type Entry, isSameEntry, type TreeChange } from "./tree-changes.ts";

/** What one turn of the session changed: from the picture before it to the one at its end. */
export type TurnChanges = readonly TreeChange[];

export interface PlannedChange {
  readonly path: string;
  /** What must be there now, or it is not touched. */
  readonly from: Entry | undefined;
  readonly to: Entry | undefined;
}

export interface RestorePlan {
  readonly changes: readonly PlannedChange[];
  /** Changed by a turn and by somebody else since. */
  readonly conflicts: readonly PlannedChange[];
}

/**
 * @param turns Those since the picture to go back to, oldest first.
 * @param differences From that picture to now.
 */
export function planRestore(turns: readonly TurnChanges[], differences: readonly TreeChange[]): RestorePlan {
  const left = new Map<string, { after: Entry | undefined; isMixed: boolean }>();
  for (const turn of turns) {
    for (const { path, before, after } of turn) {
      const former = left.get(path);
      const isMixed = former !== undefined && (former.isMixed || !isSameEntry(former.after, before));
      left.set(path, { after, isMixed });
    }
  }
  const changes: PlannedChange[] = [];
  const conflicts: PlannedChange[] = [];
  for (const { path, before: then, after: now } of differences) {
    const agent = left.get(path);
    // Nobody but other people or sessions has changed it.
    if (!agent) continue;
    const planned = { path, from: now, to: then };
    if (!agent.isMixed && isSameEntry(agent.after, now)) changes.push(planned);
    else conflicts.push(planned);
  }
  return { changes, conflicts };
}
