/** Puts files into a new worktree: those of a checkpoint, or those of its commit. */
import { lstat, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { copyRegularFile, TooLargeError } from "../files/regular-file.ts";
import { readRecord } from "./checkpoint-record.ts";
import { BYTES, changeGit, Git } from "./git.ts";
import { storeOf } from "./store.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** Of all files together that a checkpoint leaves out and that are copied instead. */
const MAX_COPIED_BYTES = 2 * 2 ** 30;

export interface FillRequest {
  /** The top level of the worktree. */
  readonly root: string;
  /** The part of it that the checkpoint is of: empty, or ending with a slash. */
  readonly prefix: string;
  /** The directory the checkpoint was taken of, as a real path. */
  readonly source: string;
  readonly workspaces: string;
  readonly checkpoint?: string;
}

export interface FilledWorktree {
  /** The directory that the checkpoint would be of. */
  readonly directory: string;
  /** Files that are too large to copy, relative to it. */
  readonly leftOut: readonly string[];
}

export async function fillWorktree({
  root,
  prefix,
  source,
  workspaces,
  checkpoint,
}: FillRequest): Promise<FilledWorktree> {
  const directory = join(root, prefix.replace(/\/$/, ""));
  await changeGit(root, ["read-tree", "HEAD"]);
  if (checkpoint === undefined || prefix !== "")
    await changeGit(root, ["checkout-index", "--all", "--quiet"]);
  await assertInside(root, prefix);
  let leftOut: string[] = [];
  if (checkpoint !== undefined) {
    // A file that was deleted since the commit is not to be there.
    if (prefix !== "") await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    leftOut = await writeCheckpoint(new Git(storeOf(workspaces, source), directory), checkpoint, source);
  }
  await mkdir(directory, { recursive: true });
  // So that the person's first `git status` need not read every file. It complains of those that differ.
  await changeGit(root, ["update-index", "-q", "--refresh"]).catch(() => {});
  return { directory, leftOut };
}

/** The commit may have a link where the person has a directory. What lies beyond it is none of the worktree's. */
async function assertInside(root: string, prefix: string): Promise<void> {
  const parts = prefix.split("/").slice(0, -1);
  for (const [at, part] of parts.entries()) {
    const found = await lstat(join(root, ...parts.slice(0, at + 1))).catch(() => undefined);
    if (found && !found.isDirectory())
      throw new WorkspaceError(`"${part}" is no directory in the last commit. Commit it first.`);
  }
}

/** Bytes as they were on disk, whatever filters the repository has. Returns the files that are too large to copy. */
async function writeCheckpoint(git: Git, checkpoint: string, source: string): Promise<string[]> {
  const { uncovered } = await readRecord(git, checkpoint);
  const index = `${git.root}.index.scratch`;
  try {
    await git.run(["read-tree", checkpoint], { index });
    await git.run(["checkout-index", "--all", "--force", "--quiet"], { index });
  } finally {
    await rm(index, { force: true });
  }
  // A checkpoint does not have them; the worktree would lack them.
  const leftOut: string[] = [];
  let bytesLeft = MAX_COPIED_BYTES;
  for (const { path, reason } of uncovered) {
    if (reason !== "too-large") continue;
    const name = Buffer.from(path, BYTES).toString();
    try {
      bytesLeft -= await copyLargeFile(join(source, name), join(git.root, name), bytesLeft);
    } catch (error) {
      if (!(error instanceof TooLargeError)) throw error;
      leftOut.push(name);
    }
  }
  return leftOut;
}

/** As it is now. One that is gone or has become something else is left out. Returns how many bytes were written. */
async function copyLargeFile(from: string, to: string, maxBytes: number): Promise<number> {
  if (!(await lstat(from).catch(() => undefined))?.isFile()) return 0;
  await mkdir(dirname(to), { recursive: true });
  return await copyRegularFile(from, to, { maxBytes });
}
