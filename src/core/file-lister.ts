/** The port to the files of a directory, for somebody who names one in a prompt. */

/** Directories that tools make: nobody writes in them by hand, and nobody looks for something there. */
export const UNINTERESTING: ReadonlySet<string> = new Set(["node_modules", "__pycache__"]);

export interface ListedFiles {
  /** Relative to the directory, with slashes, in no order that means something. */
  readonly paths: readonly string[];
  readonly isTruncated: boolean;
}

export interface FileLister {
  /**
   * The files that a person would call those of the project: in a git work tree what is tracked or not ignored. Links are
   * not followed. What was listed a moment ago may be given again. `directory` is a real path, and `way` leads to the same
   * one, also when something else was put there. Rejects where it cannot be read.
   */
  list(directory: string, way?: string): Promise<ListedFiles>;
}
