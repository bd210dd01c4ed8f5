/** Finds the checkpoint somebody means: by its id, the beginning of it, or `last`. */
import type { Session } from "../sdk/session.ts";
import { UsageError } from "./usage-error.ts";

/** `last` is the one before the last prompt. */
export async function findCheckpoint(session: Session, given: string): Promise<string> {
  const checkpoints = await session.checkpoints();
  if (given === "last") {
    const last = checkpoints.findLast(({ kind }) => kind === "before");
    if (last) return last.id;
    throw new UsageError("The session has no checkpoint from before a prompt yet.");
  }
  const ids = new Set(checkpoints.filter(({ id }) => id.startsWith(given)).map(({ id }) => id));
  if (ids.size === 1) return [...ids][0]!;
  if (ids.size > 1) throw new UsageError(`Several checkpoints begin with "${given}". Give more of the id.`);
  throw new UsageError(`The session has no checkpoint "${given}". Run "interlingua checkpoints".`);
}
