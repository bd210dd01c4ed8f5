/** The port to git worktrees: a directory of its own for a session, beside the person's, in the same repository. */

export interface Worktree {
  /** Where the session works: what its directory was in the repository, in the worktree. */
  readonly directory: string;
  /** The branch that was made for it. */
  readonly branch: string;
  /** The commit that the branch begins at. */
  readonly commit: string;
  /** Files of the checkpoint's directory that it lacks because they are too large to copy. Relative to `directory`. */
  readonly leftOut?: readonly string[];
}

export interface WorktreeRequest {
  /** Whose it becomes. One session has one at most. */
  readonly session: string;
  /** The directory that is to be had a second time. */
  readonly directory: string;
  /** A checkpoint of that directory, whose files it gets; those of the last commit when absent. */
  readonly checkpoint?: string;
}

export interface Worktrees {
  /**
   * Makes a worktree. Of the person's repository only a branch and git's entry for the worktree are new. Rejects with
   * `worktree_impossible`, and then leaves nothing behind.
   */
  add(request: WorktreeRequest): Promise<Worktree>;
  /**
   * Removes the worktree of a session, and its branch, if nothing in it changed since it was made and no commit was. What
   * may hold work of somebody stays, and is the person's from then on; so does one that other sessions share. Does nothing
   * for a session without one.
   */
  release(session: string, options: { isShared: boolean }): Promise<"removed" | "kept" | "none">;
  /** Removes the worktree of a session that was never used. */
  discard(session: string): Promise<void>;
  /** Discards what a dead daemon left half made: the worktrees of sessions that are not known. */
  discardUnless(isKnown: (session: string) => Promise<boolean>): Promise<void>;
}
