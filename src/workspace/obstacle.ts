/** Why there can be no checkpoint of a directory. */
import { realpath, statfs } from "node:fs/promises";
import { homedir } from "node:os";
import { join, sep } from "node:path";
import { isInside } from "../core/is-inside.ts";
import { askGit, GitError } from "./git.ts";
import type { WorkspaceLimits } from "./limits.ts";
import { asArgument } from "./path-text.ts";
import { countEntries } from "./read-index.ts";
import { openRoot } from "./root.ts";
import { RuleFiles } from "./rule-files.ts";
import { rootFolder } from "./store.ts";
import { UserRepositories } from "./user-repositories.ts";

/** The folder of the data directory where worktrees are made. */
export const WORKTREES = "worktrees";

export interface OwnPlaces {
  /** The data directory. */
  readonly data: string;
  /** Where checkpoints are kept: mostly in the data directory. */
  readonly workspaces: string;
}

/**
 * What depends on where the directory is, and on nothing in it. A sentence; undefined if there is none.
 *
 * @param directory As a real path.
 */
export async function findPlaceObstacle(
  directory: string,
  { data: ownData, workspaces }: OwnPlaces,
): Promise<string | undefined> {
  if (directory === "/") return "There are no checkpoints of the root of the file system.";
  const home = await realpath(homedir()).catch(() => homedir());
  if (isInside(home, directory)) return "There are no checkpoints of the home directory.";
  const data = await realpath(ownData).catch(() => ownData);
  const kept = await realpath(workspaces).catch(() => workspaces);
  if (!isInside(kept, data) && (isInside(kept, directory) || isInside(directory, kept)))
    return `${directory} is where checkpoints are kept, or holds that.`;
  if (isInside(data, directory)) return `${directory} holds the data directory, where checkpoints are kept.`;
  const worktrees = join(data, WORKTREES);
  const isWorktree = directory !== worktrees && isInside(directory, worktrees);
  if (isInside(directory, data) && !isWorktree)
    return `${directory} is in the data directory, where checkpoints are kept.`;
  if (directory.split(sep).includes(".git")) return `${directory} is part of a repository's own files.`;
  return undefined;
}

/** A bare repository has no `.git` in its path. */
export async function findRepositoryObstacle(directory: string): Promise<string | undefined> {
  const answer = await askGit(directory, ["rev-parse", "--is-inside-git-dir"]).catch((error: unknown) => {
    if (error instanceof GitError) return undefined;
    throw error;
  });
  if (answer?.stdout.toString().trim() !== "true") return undefined;
  return `${directory} is part of a repository's own files.`;
}

/** Costs little where a checkpoint was made before. */
export async function findSizeObstacle(
  store: string,
  directory: string,
  { maxFiles }: WorkspaceLimits,
): Promise<string | undefined> {
  const known = await countEntries(join(rootFolder(store, ""), "index"));
  const count = known > 0 ? known : await countFiles(store, directory, maxFiles);
  if (count <= maxFiles) return undefined;
  return `${directory} has more than ${maxFiles} files that are not ignored.`;
}

export async function findSpaceObstacle(
  workspaces: string,
  { minFreeBytes }: WorkspaceLimits,
): Promise<string | undefined> {
  const { bavail, bsize } = await statfs(workspaces);
  if (bavail * bsize >= minFreeBytes) return undefined;
  return `Less than ${Math.floor(minFreeBytes / 2 ** 20)} MiB are free where checkpoints are kept.`;
}

async function countFiles(store: string, directory: string, most: number): Promise<number> {
  const root = await openRoot(
    { store, directory, repositories: new UserRepositories(), ruleFiles: new RuleFiles() },
    "",
  );
  const part = root.prefix === "" ? [] : ["--", asArgument(root.prefix)];
  const { stdout, isCut } = await root.git.run(["ls-files", "-z", "-o", "--exclude-standard", ...part], {
    index: join(root.folder, "none"),
    maxOutputBytes: most * 256,
  });
  if (isCut) return most + 1;
  let count = 0;
  for (let at = stdout.indexOf(0); at !== -1; at = stdout.indexOf(0, at + 1)) count += 1;
  return count;
}
