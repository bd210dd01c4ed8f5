/** What of a restore's plan was done, by how the log says it ended. Pure. */
import type { EventOf } from "./event.ts";
import type { PlannedChange } from "./workspace.ts";

type Ended = Pick<EventOf<"checkpoint.restored">, "restored" | "kept" | "error">;

/** Of one that failed and does not say, nothing is taken for done. */
export function restoredChanges(
  changes: readonly PlannedChange[],
  { restored, kept, error }: Ended,
): readonly PlannedChange[] {
  if (restored === undefined && error === undefined) {
    const left = new Set(kept);
    return changes.filter(({ path }) => !left.has(path));
  }
  const done = new Set(restored);
  return changes.filter(({ path }) => done.has(path));
}
