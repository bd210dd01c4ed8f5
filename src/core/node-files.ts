/**
 * The port to the files that clients name: where sessions may work, what prompts may have, and what can be seen of the
 * disk. A daemon answers for its own roots, after resolving every link. Among several nodes each question is answered by
 * the one that has the files. What is refused throws `outside_roots` or `not_a_directory`, and `node_unreachable` where
 * the node that has the files does not run.
 */
import type { PromptPart } from "./prompt-part.ts";

export interface NodeFiles {
  /**
   * The real path of the directory that a client named for a new session, or the first root of the node that was called.
   *
   * @param opened The id of the session, if it may work in what was opened for it alone.
   */
  directory(path: string | undefined, opened?: string): Promise<string>;
  /** The real path of a directory for a fork of this session, which is made where that is. */
  directoryFor(session: string, path: string, isOpened: boolean): Promise<string>;
  /**
   * Throws if a part names a file that the session may not have.
   *
   * @param within Only what is in this directory, not what is in the roots.
   */
  checkParts(session: string, parts: readonly PromptPart[], within?: string): Promise<void>;
  findFiles(options: FindFilesOptions): Promise<FoundFiles>;
  listDirectories(query: DirectoryQuery): Promise<DirectoryListing>;
}

export interface FindFilesOptions {
  session: string;
  /** The session's. It may be another one by now. */
  cwd: string;
  search: string;
  limit: number;
}

export interface FoundFiles {
  files: RankedPath[];
  /** There are more than were looked at. */
  isTruncated?: true;
}

export interface RankedPath {
  path: string;
  isDirectory?: true;
}

export interface DirectoryQuery {
  /** The roots when absent. */
  path?: string;
  /** Those with this in their names, in any case, also further below. */
  search?: string;
  limit: number;
}

export interface DirectoryListing {
  /** The real path of what was looked into; absent for the roots themselves. */
  path?: string;
  /** The directory above, where that may be looked into. */
  parent?: string;
  /** It is a git repository, or lies in one. */
  isInRepository?: true;
  directories: ListedDirectory[];
  isTruncated?: true;
}

export interface ListedDirectory {
  name: string;
  /** As a session is given it. A link has its own path. */
  path: string;
  /** The top of a git repository. */
  isRepository?: true;
  /** Its name begins with a dot. */
  isHidden?: true;
}

/** Whether a part names a file by its path, and does not have its content with it. */
export function namesPath(part: PromptPart): boolean {
  return part.type === "context" || (part.type === "file" && part.url.startsWith("file:"));
}
