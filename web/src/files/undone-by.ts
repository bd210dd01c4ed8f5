/** Whether what a turn did to a file still stands, from the checkpoints of the session. Pure. */
import type { Checkpoint } from "../api/types.ts";

/** The checkpoint before the restore that took it back. Undefined where it stands, or came back. */
export function undoneBy(
  checkpoints: readonly Checkpoint[],
  turn: string,
  path: string,
  before = Number.POSITIVE_INFINITY,
): Checkpoint | undefined {
  const first = checkpoints.find(
    (each) => each.turn === turn && (each.kind === "before" || each.kind === "after"),
  );
  if (!first) return undefined;
  const restore = checkpoints.findLast(
    ({ seq, restored }) => seq < before && seq > first.seq && restored && wentBack(restored, path),
  );
  const target = checkpoints.find(({ id }) => id === restore?.restored?.to);
  if (!restore || !target) return undefined;
  const isEarlier = target.seq < first.seq || (target === first && first.kind === "before");
  // Else the file is as it was then.
  return isEarlier ? restore : undoneBy(checkpoints, turn, path, target.seq);
}

/** Of more than are named any may have been. */
function wentBack({ files, paths }: NonNullable<Checkpoint["restored"]>, path: string): boolean {
  return files > paths.length || paths.includes(path);
}
