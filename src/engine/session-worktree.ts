/** The git worktree of a new session: how it is made, and what the log says of it. */
import { InterlinguaError } from "../core/error.ts";
import type { Worktree, WorktreeRequest } from "../core/worktree.ts";
import type { Services } from "./engine-services.ts";

/** Throws `worktree_impossible`. */
export async function addWorktree(
  { worktrees }: Pick<Services, "worktrees">,
  request: WorktreeRequest,
): Promise<Worktree> {
  if (!worktrees)
    throw new InterlinguaError("worktree_impossible", "This daemon keeps nothing on disk: give it --data.");
  return worktrees.add(request);
}

/** `files` is a sentence about those it has; `isLess` where they are fewer than a person would think. */
export function worktreeNotice({ branch }: Pick<Worktree, "branch">, files: string, isLess = false) {
  const text = `The session works in a git worktree of its own, on the branch ${branch}. ${files}`;
  return { type: "notice", level: isLess ? "warning" : "info", code: "worktree", text } as const;
}
