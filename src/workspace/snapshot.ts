/**
 * Makes a tree in our repository of the files of one root. It costs about what `git status` costs: only what changed
 * since the last one is read.
 */
import { randomBytes } from "node:crypto";
import { copyFile, link, rename, rm, stat, utimes } from "node:fs/promises";
import { join } from "node:path";
import { GitError } from "./git.ts";
import { asArgument } from "./path-text.ts";
import { countEntries } from "./read-index.ts";
import type { Root } from "./root.ts";
import { rootRef } from "./store.ts";
import { isStillStored, type StoredTree, storedTree } from "./stored-tree.ts";
import type { UnchangedFiles } from "./unchanged-files.ts";
import { type IndexHints, type IndexOptions, type Uncovered, updateIndex } from "./update-index.ts";
import type { TrackedIgnoredFiles } from "./user-repository.ts";

export interface Snapshot {
  readonly tree: string;
  /** Relative to the root's covered part. A directory ends with a slash: what is in it is unknown. */
  readonly uncovered: readonly Uncovered[];
  /** Repositories inside, relative to the root's covered part, each ending with a slash. */
  readonly repositories: readonly string[];
}

/** What is remembered between snapshots, by root. */
export interface SnapshotMemory {
  readonly trees: Map<string, StoredTree & { readonly index: string | undefined }>;
  readonly trackedIgnored: TrackedIgnoredFiles;
  readonly unchanged: UnchangedFiles;
}

export interface SnapshotOptions extends IndexOptions {
  readonly memory: SnapshotMemory;
}

export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

const MAX_ATTEMPTS = 3;

/** Must run under the lock of the directory. A step that fails gives no snapshot, never an older one. */
export async function takeSnapshot(root: Root, options: SnapshotOptions): Promise<Snapshot> {
  const { memory, signal } = options;
  const [look, tracked] = await Promise.all([
    memory.unchanged.look(root, signal),
    root.user ? memory.trackedIgnored.list(root.user, signal) : [],
  ]);
  const last = look && (await memory.unchanged.find(root, look, { ...options, tracked }));
  if (last) return last;
  const suspects = look ? await memory.unchanged.listSuspects(root, look) : [];
  const snapshot = await readFiles(root, { tracked, suspects }, options);
  await memory.unchanged.remember(root, look, snapshot);
  return snapshot;
}

async function readFiles(root: Root, hints: IndexHints, options: SnapshotOptions): Promise<Snapshot> {
  for (let attempt = 1; ; attempt += 1) {
    // Of its own for each attempt: a git that outlives a killed daemon cannot get in the way.
    const scratch = join(root.folder, `index.${randomBytes(6).toString("hex")}.scratch`);
    try {
      return await attemptSnapshot(root, scratch, attempt < MAX_ATTEMPTS, hints, options);
    } catch (error) {
      // An index that cannot be read is made again.
      if (attempt === MAX_ATTEMPTS || !(error instanceof GitError)) throw error;
    } finally {
      await rm(scratch, { force: true });
      await rm(`${scratch}.lock`, { force: true });
    }
  }
}

async function attemptSnapshot(
  root: Root,
  scratch: string,
  usesIndex: boolean,
  hints: IndexHints,
  options: SnapshotOptions,
): Promise<Snapshot> {
  const { git } = root;
  const { memory, signal } = options;
  const index = join(root.folder, "index");
  if (!usesIndex || !(await linkIndex(index, scratch))) await readLastTree(root, scratch, signal);
  const { isChanged, ...rest } = await updateIndex(root, scratch, hints, options);
  const remembered = memory.trees.get(root.folder);
  const isSameIndex = !isChanged && remembered && remembered.index === (await indexState(index));
  if (isSameIndex && (await isStillStored(git.store, remembered))) return { ...rest, tree: remembered.tree };
  const tree = await writeTree(root, scratch, signal);
  signal?.throwIfAborted();
  // An index without files is never written.
  if ((await indexState(scratch)) !== undefined) await rename(scratch, index);
  memory.trees.set(root.folder, { index: await indexState(index), ...(await storedTree(git.store, tree)) });
  return { ...rest, tree };
}

/**
 * By a link, so that it keeps its time: git compares with that to know which files might have changed in the same
 * instant. Git never writes into an index, it replaces it.
 */
async function linkIndex(index: string, scratch: string): Promise<boolean> {
  try {
    await link(index, scratch);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    await copyFile(index, scratch);
    const { atime, mtime } = await stat(index);
    // Rounded down: the earlier its time, the more files are compared.
    const earlier = Math.floor(mtime.getTime() / 1000) - 1;
    await utimes(scratch, atime, earlier);
    return true;
  }
}

/** An index without times: everything is read again. So files that are ignored by now, but were not, stay known. */
async function readLastTree(root: Root, scratch: string, signal?: AbortSignal): Promise<void> {
  const ref = rootRef(root.path);
  const { stdout } = await root.git.run(["rev-parse", "-q", "--verify", `${ref}^{tree}`], {
    allowedCodes: [1],
    signal,
  });
  const tree = stdout.toString().trim();
  if (tree === "" || tree === EMPTY_TREE) return;
  const target = root.prefix === "" ? [tree] : [`--prefix=${asArgument(root.prefix)}`, tree];
  await root.git.run(["read-tree", ...target], { index: scratch, signal });
}

async function writeTree(root: Root, index: string, signal?: AbortSignal): Promise<string> {
  if ((await countEntries(index)) === 0) return EMPTY_TREE;
  const part = root.prefix === "" ? [] : [`--prefix=${asArgument(root.prefix)}`];
  return await root.git.line(["write-tree", ...part], { index, signal });
}

/** Without the time of its last change (ctime), which a link to it changes too. Undefined where there is none. */
async function indexState(path: string): Promise<string | undefined> {
  const status = await stat(path, { bigint: true }).catch(() => undefined);
  return status && `${status.ino} ${status.size} ${status.mtimeNs}`;
}
