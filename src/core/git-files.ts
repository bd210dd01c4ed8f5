/**
 * The port to files that travel by git: nodes have clones of a repository under the same path, and what a session has done in
 * one of them can be laid down in another.
 */

/** The files of a clone at one moment: what is tracked, and what is neither tracked nor ignored. */
export interface CapturedFiles {
  /** The commit that was checked out. */
  readonly head: string;
  /** The branch that was; absent where there was none. */
  readonly branch?: string;
  /** The git tree of the files. */
  readonly tree: string;
  /** The commit that has the tree. It is in the pack, and in no history. */
  readonly commit: string;
  /** Commits that another clone needs before it can read the pack. */
  readonly bases: readonly string[];
}

export interface FilesCapture {
  readonly files: CapturedFiles;
  /** Everything that a clone with the bases lacks, as git packs it. Absent where nothing has changed. */
  readonly pack?: Uint8Array;
}

export interface LayDown {
  readonly files: CapturedFiles;
  /** The trees that the session has captured before: where one of them is found, nobody else has changed anything. */
  readonly earlier: readonly string[];
  /** Asked for when it is needed. */
  pack(): Promise<Uint8Array>;
}

export interface GitFiles {
  /** The id of this daemon. */
  readonly daemon: string;
  /** Whether the files of this directory, which is a real path, travel. */
  travels(directory: string): boolean;
  /**
   * Changes nothing in the clone. Rejects with a sentence where the files have to stay: there is no repository, or more
   * than is kept.
   *
   * @param former What was captured last.
   */
  capture(directory: string, former?: CapturedFiles, signal?: AbortSignal): Promise<FilesCapture>;
  /**
   * Makes the files here those that were captured, and gives a sentence of what was done; undefined where they are so
   * already. Rejects with `workspace_failed` before anything is changed if there is something here that nobody has captured.
   *
   * @param signal Ends it before anything is changed; what has begun to change is finished.
   */
  layDown(directory: string, wanted: LayDown, signal?: AbortSignal): Promise<string | undefined>;
}
