/** Puts files into a new worktree: those of a checkpoint, or those of its commit. */
import { constants } from "node:fs";
import { copyFile, lstat, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { readRecord } from "./checkpoint-record.ts";
import { BYTES, changeGit, Git } from "./git.ts";
import { storeOf } from "./store.ts";
import { WorkspaceError } from "./workspace-error.ts";

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

/** Gives the directory that the checkpoint would be of. */
export async function fillWorktree({
  root,
  prefix,
  source,
  workspaces,
  checkpoint,
}: FillRequest): Promise<string> {
  const directory = join(root, prefix.replace(/\/$/, ""));
  await changeGit(root, ["read-tree", "HEAD"]);
  if (checkpoint === undefined || prefix !== "")
    await changeGit(root, ["checkout-index", "--all", "--quiet"]);
  await assertInside(root, prefix);
  if (checkpoint !== undefined) {
    // A file that was deleted since the commit is not to be there.
    if (prefix !== "") await rm(directory, { recursive: true, force: true });
    await mkdir(directory, { recursive: true });
    await writeCheckpoint(new Git(storeOf(workspaces, source), directory), checkpoint, source);
  }
  await mkdir(directory, { recursive: true });
  // So that the person's first `git status` need not read every file. It complains of those that differ.
  await changeGit(root, ["update-index", "-q", "--refresh"]).catch(() => {});
  return directory;
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

/** Bytes as they were on disk, whatever filters the repository has. */
async function writeCheckpoint(git: Git, checkpoint: string, source: string): Promise<void> {
  const { uncovered } = await readRecord(git, checkpoint);
  const index = `${git.root}.index.scratch`;
  try {
    await git.run(["read-tree", checkpoint], { index });
    await git.run(["checkout-index", "--all", "--force", "--quiet"], { index });
  } finally {
    await rm(index, { force: true });
  }
  // A checkpoint does not have them; the worktree would lack them.
  for (const { path, reason } of uncovered)
    if (reason === "too-large") await copyRegularFile(source, git.root, path);
}

/** As it is now. One that is gone or has become something else is left out. */
async function copyRegularFile(source: string, target: string, path: string): Promise<void> {
  const name = Buffer.from(path, BYTES).toString();
  const from = join(source, name);
  if (!(await lstat(from).catch(() => undefined))?.isFile()) return;
  await mkdir(dirname(join(target, name)), { recursive: true });
  await copyFile(from, join(target, name), constants.COPYFILE_FICLONE);
}
