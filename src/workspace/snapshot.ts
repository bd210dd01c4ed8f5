/**
 * Takes a picture of a directory as a tree in our repository. It costs about what `git status` costs: only what changed
 * since the last one is read.
 */
import { constants } from "node:fs";
import { access, copyFile, lstat, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { BYTES, type Git, GitError, zeroSeparated } from "./git.ts";

/** What a picture does not have, and why. Paths are latin1, relative to the root. */
export interface Uncovered {
  readonly path: string;
  readonly reason: "too-large" | "unreadable" | "special";
}

export interface Snapshot {
  readonly tree: string;
  readonly uncovered: readonly Uncovered[];
}

export interface SnapshotLimits {
  readonly maxFileBytes: number;
}

/** A path with more links in front of it than this is not looked at again: it changes while we look. */
const MAX_ATTEMPTS = 3;

const NOTHING = "0".repeat(40);

/** Must run under the lock of the directory. A step that fails gives no picture, never an older one. */
export async function takeSnapshot(git: Git, limits: SnapshotLimits): Promise<Snapshot> {
  const index = join(git.store, "index");
  const scratch = join(git.store, "index.new");
  for (let attempt = 1; ; attempt += 1) {
    await rm(`${scratch}.lock`, { force: true });
    await rm(scratch, { force: true });
    await copyFile(index, scratch).catch(ignoreMissing);
    try {
      const uncovered = await update(git, scratch, limits);
      const { stdout } = await git.run(["write-tree"], withIndex(scratch));
      await rename(scratch, index);
      return { tree: stdout.trim(), uncovered };
    } catch (error) {
      // A file that gets shorter while git reads it ends git by a signal.
      if (attempt === MAX_ATTEMPTS || !(error instanceof GitError)) throw error;
    }
  }
}

async function update(git: Git, index: string, limits: SnapshotLimits): Promise<Uncovered[]> {
  const [changed, added] = await Promise.all([changedPaths(git, index), addedPaths(git, index)]);
  const uncovered: Uncovered[] = [];
  const gone: string[] = [];
  const present: string[] = [];
  for (const path of [...changed, ...added]) {
    const found = await look(git.root, path, limits);
    if (found === "present") present.push(path);
    else gone.push(path);
    if (found !== "present" && found !== "gone") uncovered.push({ path, reason: found });
  }
  if (gone.length > 0) {
    const input = gone.map((path) => `0 ${NOTHING}\t${path}\0`).join("");
    await git.run(["update-index", "-z", "--index-info"], { ...withIndex(index), input });
  }
  await addPaths(git, index, present, uncovered);
  return uncovered;
}

/** On failure the list is halved, until the path that git refuses stands alone. */
async function addPaths(git: Git, index: string, paths: string[], uncovered: Uncovered[]): Promise<void> {
  if (paths.length === 0) return;
  const input = paths.map((path) => `${path}\0`).join("");
  const args = ["update-index", "-z", "--add", "--replace", "--remove", "--stdin"];
  try {
    const { stderr } = await git.run(args, { ...withIndex(index), input });
    for (const [, path = ""] of stderr.matchAll(/^Ignoring path (.*)$/gm))
      uncovered.push({ path: Buffer.from(path).toString(BYTES), reason: "unreadable" });
  } catch (error) {
    if (!(error instanceof GitError) || error.code === null) throw error;
    if (paths.length === 1) {
      uncovered.push({ path: paths[0]!, reason: "unreadable" });
      return;
    }
    await rm(`${index}.lock`, { force: true });
    const middle = paths.length >> 1;
    await addPaths(git, index, paths.slice(0, middle), uncovered);
    await addPaths(git, index, paths.slice(middle), uncovered);
  }
}

async function changedPaths(git: Git, index: string): Promise<string[]> {
  const args = ["diff-files", "-z", "--name-only", "--ignore-submodules=all"];
  return zeroSeparated((await git.run(args, withIndex(index))).stdout);
}

/** Without repositories inside, which end with a slash: they are roots of their own. */
async function addedPaths(git: Git, index: string): Promise<string[]> {
  const args = ["ls-files", "-z", "-o", "--exclude-standard"];
  const paths = zeroSeparated((await git.run(args, withIndex(index))).stdout);
  return paths.filter((path) => !path.endsWith("/"));
}

async function look(
  root: string,
  path: string,
  { maxFileBytes }: SnapshotLimits,
): Promise<"present" | "gone" | Uncovered["reason"]> {
  const name = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, BYTES)]);
  try {
    const status = await lstat(name);
    if (status.isSymbolicLink()) return "present";
    if (status.isDirectory()) return "gone";
    if (!status.isFile()) return "special";
    if (status.size > maxFileBytes) return "too-large";
    await access(name, constants.R_OK);
    return "present";
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === "ENOENT" || code === "ENOTDIR" ? "gone" : "unreadable";
  }
}

function withIndex(path: string): { environment: { GIT_INDEX_FILE: string } } {
  return { environment: { GIT_INDEX_FILE: path } };
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}
