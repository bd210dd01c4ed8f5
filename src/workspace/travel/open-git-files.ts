/** Files that travel by git, for the roots that a node says have a clone at every node. */
import type { GitFiles } from "../../core/git-files.ts";
import { isInside } from "../../core/is-inside.ts";
import { captureFiles } from "./capture-files.ts";
import { layDownFiles } from "./lay-down-files.ts";

/** The most that is kept of the files of a session. */
const MAX_BYTES = 32 * 1024 * 1024;

export interface GitFilesOptions {
  /** The id of the daemon. */
  readonly daemon: string;
  /** Real paths. */
  readonly roots: readonly string[];
  /** A folder of ours for what is made to ask git. It is made where it is missing, for our eyes only. */
  readonly temporary: string;
  readonly maxBytes?: number;
}

export function openGitFiles({ daemon, roots, temporary, maxBytes = MAX_BYTES }: GitFilesOptions): GitFiles {
  return {
    daemon,
    travels: (directory) => roots.some((root) => isInside(directory, root)),
    capture: (directory, former, signal) =>
      captureFiles(directory, { maxBytes, temporary, ...(former && { former }), ...(signal && { signal }) }),
    layDown: (directory, wanted, signal) =>
      layDownFiles(directory, wanted, { temporary, ...(signal && { signal }) }),
  };
}
