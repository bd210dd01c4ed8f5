/** The git worktree of a new session: how it is made, and what the log says of it. */
import { InterlinguaError } from "../../core/error.ts";
import type { Worktree, WorktreeRequest } from "../../core/worktree.ts";
import type { Services } from "../engine-services.ts";

/** Throws `worktree_impossible`. */
export async function addWorktree(
  { worktrees }: Pick<Services, "worktrees">,
  request: WorktreeRequest,
): Promise<Worktree> {
  if (!worktrees)
    throw new InterlinguaError("worktree_impossible", "This daemon keeps nothing on disk: give it --data.");
  return worktrees.add(request);
}

/** How many files a notice names. */
const MAX_NAMED = 5;

/** `files` is a sentence about those it has; `isLess` where they are fewer than a person would think. */
export function worktreeNotice({ branch, leftOut = [] }: Worktree, files: string, isLess = false) {
  const text = `The session works in a git worktree of its own, on the branch ${branch}. ${files}${describeLeftOut(leftOut)}`;
  const level = isLess || leftOut.length > 0 ? "warning" : "info";
  return { type: "notice", level, code: "worktree", text } as const;
}

function describeLeftOut(leftOut: readonly string[]): string {
  if (leftOut.length === 0) return "";
  const more = leftOut.length - MAX_NAMED;
  const names = [...leftOut.slice(0, MAX_NAMED), ...(more > 0 ? [`${more} more`] : [])];
  return ` Too large to copy, and missing: ${names.join(", ")}.`;
}
