/**
 * Makes a tree in our repository of the files of one root. It costs about what `git status` costs: only what changed
 * since the last one is read.
 */
import { randomBytes } from "node:crypto";
import { copyFile, link, rename, rm, stat, utimes } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { BYTES, type Git, GitError, NO_OBJECT, zeroSeparated } from "./git.ts";
import { inspectFiles } from "./inspect-file.ts";
import type { WorkspaceLimits } from "./limits.ts";
import { copyBorrowedObjects } from "./own-objects.ts";
import { countEntries } from "./read-index.ts";
import type { Root } from "./root.ts";
import { rootRef } from "./store.ts";
import { isStillStored, type StoredTree, storedTree } from "./stored-tree.ts";
import type { UnchangedFiles } from "./unchanged-files.ts";
import type { TrackedIgnoredFiles } from "./user-repository.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** What a checkpoint does not have, and why. Paths are latin1. */
export interface Uncovered {
  readonly path: string;
  readonly reason: "too-large" | "unreadable" | "special";
}

export interface Snapshot {
  readonly tree: string;
  /** Relative to the root's covered part. A directory ends with a slash: what is in it is unknown. */
  readonly uncovered: readonly Uncovered[];
  /** Repositories inside, relative to the root's covered part, each ending with a slash. */
  readonly repositories: readonly string[];
}

/** What is remembered between snapshots, by root. */
export interface SnapshotMemory {
  readonly trees: Map<string, StoredTree & { readonly index: string }>;
  readonly trackedIgnored: TrackedIgnoredFiles;
  readonly unchanged: UnchangedFiles;
}

export interface SnapshotOptions {
  readonly limits: WorkspaceLimits;
  readonly memory: SnapshotMemory;
  readonly signal: AbortSignal | undefined;
  /** Since git 2.37 many new files go into one pack; before, each would get its own. */
  readonly canPack: boolean;
}

export const EMPTY_TREE = "4b825dc642cb6eb9a060e54bf8d69288fbee4904";

/** Files that a restore puts beside those it writes, and those it moves aside. */
const TEMPORARY_FILE = /(^|\/)\.restore-[0-9a-f]{16}-\d+\.(tmp|old)$/;

const MAX_ATTEMPTS = 3;

/** With more new files than this it pays to see which of them the person's repository has. */
const MANY_FILES = 500;

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

/** What is known before git looks. */
interface Hints {
  /** Files that the person's repository has although a rule ignores them. */
  readonly tracked: readonly string[];
  /** Files that have to be read, also if git finds them unchanged. */
  readonly suspects: readonly string[];
}

async function readFiles(root: Root, hints: Hints, options: SnapshotOptions): Promise<Snapshot> {
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
  hints: Hints,
  options: SnapshotOptions,
): Promise<Snapshot> {
  const { git } = root;
  const { memory, signal } = options;
  const index = join(root.folder, "index");
  if (!usesIndex || !(await linkIndex(index, scratch))) await readLastTree(root, scratch, signal);
  const { isChanged, borrow, ...rest } = await updateIndex(root, scratch, hints, options);
  const remembered = memory.trees.get(root.folder);
  const isSameIndex = !isChanged && remembered && remembered.index === (await stateOf(index));
  if (isSameIndex && (await isStillStored(git.store, remembered))) return { ...rest, tree: remembered.tree };
  const tree = await writeTree(root, scratch, borrow, signal);
  if (borrow !== undefined) await copyBorrowedObjects(git, tree, borrow, signal);
  signal?.throwIfAborted();
  // An index without files is never written.
  if (await exists(scratch)) await rename(scratch, index);
  memory.trees.set(root.folder, { index: await stateOf(index), ...(await storedTree(git.store, tree)) });
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
  const target = root.prefix === "" ? [tree] : [`--prefix=${textOf(root.prefix)}`, tree];
  await root.git.run(["read-tree", ...target], { index: scratch, signal });
}

interface IndexUpdate {
  readonly isChanged: boolean;
  /** The objects that git may read besides ours, because so much is new. */
  readonly borrow: string | undefined;
  readonly uncovered: Uncovered[];
  readonly repositories: string[];
}

async function updateIndex(
  root: Root,
  index: string,
  { tracked, suspects }: Hints,
  options: SnapshotOptions,
): Promise<IndexUpdate> {
  const { git, prefix } = root;
  const { limits, signal } = options;
  const [known, unknown, trackedIgnored] = await Promise.all([
    listKnownChanges(git, index, signal),
    listUnknownFiles(root, index, signal),
    listTrackedIgnored(root, index, tracked, signal),
  ]);
  // What lies in a repository inside is for that one, whoever else has it.
  const isOwn = (path: string) => !unknown.repositories.some((inside) => path.startsWith(inside));
  const added = [...new Set([...unknown.files, ...trackedIgnored.filter(isOwn)])];
  const count = (await countEntries(index)) + added.length;
  if (count > limits.maxFiles)
    throw new WorkspaceError(`There are more than ${limits.maxFiles} files that are not ignored.`);

  const uncovered: Uncovered[] = unknown.unreadable.map((path) => ({ path, reason: "unreadable" as const }));
  // Git would pass over them again if they stayed in the index.
  const noticed = new Set([...known.changed, ...known.deleted]);
  const unnoticed = suspects.filter((path) => !noticed.has(path));
  const out = [...known.deleted, ...unnoticed];
  const into: string[] = [];
  const candidates = [...known.changed, ...unnoticed, ...added];
  const inspected = await inspectFiles(git.root, candidates, limits.maxFileBytes);
  let bytes = 0;
  for (const [at, path] of candidates.entries()) {
    const file = inspected[at]!;
    if (file.found === "present") {
      into.push(path);
      bytes += file.bytes;
      continue;
    }
    if (at < known.changed.length) out.push(path);
    if (file.found !== "gone") uncovered.push({ path, reason: file.found });
  }
  if (bytes > limits.maxNewBytes)
    throw new WorkspaceError(
      `Files of ${Math.ceil(bytes / 2 ** 20)} MiB are new or changed, more than the ${limits.maxNewBytes / 2 ** 20} MiB that a checkpoint takes.`,
    );
  await removeEntries(git, index, out, signal);
  const isLarge = into.length > MANY_FILES;
  const borrow = isLarge ? await findLender(root, into.length) : undefined;
  // What is streamed into a pack is compressed before git sees that it has it.
  const canPack = isLarge && options.canPack && borrow === undefined;
  const settings = canPack ? ["core.bigFileThreshold=1", "core.compression=1"] : [];
  await addEntries({ git, index, uncovered, settings, borrow, signal }, into);
  const inPart = (path: string) => path.slice(prefix.length);
  return {
    isChanged: out.length > 0 || into.length > 0,
    borrow,
    uncovered: uncovered.map(({ path, reason }) => ({ path: inPart(path), reason })),
    repositories: unknown.repositories.map(inPart),
  };
}

/** The objects of the person's repository, if it has about as many files as are new. */
async function findLender({ user }: Root, files: number): Promise<string | undefined> {
  if (!user?.isSha1 || (await countEntries(user.indexFile)) < files / 2) return undefined;
  return user.objects;
}

async function writeTree(
  root: Root,
  index: string,
  borrow: string | undefined,
  signal?: AbortSignal,
): Promise<string> {
  if ((await countEntries(index)) === 0) return EMPTY_TREE;
  const part = root.prefix === "" ? [] : [`--prefix=${textOf(root.prefix)}`];
  return await root.git.line(["write-tree", ...part], { index, borrow, signal });
}

/** Files of the index that are no longer as it has them. Deleted is also what has a link among its parents now. */
async function listKnownChanges(
  git: Git,
  index: string,
  signal?: AbortSignal,
): Promise<{ changed: string[]; deleted: string[] }> {
  const args = ["diff-files", "-z", "--name-status", "--ignore-submodules=all"];
  const { stdout, stderr } = await git.run(args, { index, signal });
  const fields = zeroSeparated(stdout);
  const changed: string[] = [];
  const deleted: string[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2)
    (fields[at] === "D" ? deleted : changed).push(fields[at + 1]!);
  // Git passes over files in a directory that cannot be entered. All have to be looked at then.
  if (stderr.includes("Permission denied")) changed.push(...(await listEntries(git, index, signal)));
  return { changed: [...new Set(changed)], deleted };
}

async function listEntries(git: Git, index: string, signal?: AbortSignal): Promise<string[]> {
  return zeroSeparated((await git.run(["ls-files", "-z"], { index, signal })).stdout);
}

/** Files that the index does not have and no rule ignores. */
async function listUnknownFiles(
  { git, prefix, user }: Root,
  index: string,
  signal?: AbortSignal,
): Promise<{ files: string[]; repositories: string[]; unreadable: string[] }> {
  const part = prefix === "" ? [] : ["--", textOf(prefix)];
  const args = ["ls-files", "-z", "-o", "--exclude-standard", ...part];
  const { stdout, stderr } = await git.run(args, { index, signal });
  // The repository itself may lie here under another name than `.git`.
  const repository = user && `${Buffer.from(relative(git.root, dirname(user.objects))).toString(BYTES)}/`;
  const paths = zeroSeparated(stdout).filter(
    (path) => path.startsWith(prefix) && !(repository && path.startsWith(repository)),
  );
  const unreadable = Array.from(
    stderr.matchAll(/could not open directory '([\s\S]*?)': .*$/gm),
    ([, path = ""]) => path,
  );
  const isUsable = (path: string) => path !== prefix && Buffer.from(textOf(path)).toString(BYTES) === path;
  const inside = paths.filter((path) => path.endsWith("/"));
  return {
    files: paths.filter((path) => !path.endsWith("/") && !TEMPORARY_FILE.test(path)),
    repositories: inside.filter(isUsable),
    // No program can be started in a directory whose name is no UTF-8.
    unreadable: [...unreadable, ...inside.filter((path) => !isUsable(path))],
  };
}

/** Files that the person's repository has although a rule ignores them, and our index does not have yet. */
async function listTrackedIgnored(
  { git }: Root,
  index: string,
  tracked: readonly string[],
  signal?: AbortSignal,
): Promise<string[]> {
  if (tracked.length === 0) return [];
  const args = ["ls-files", "-z", "-c", "-i", "--exclude-standard"];
  const known = new Set(zeroSeparated((await git.run(args, { index, signal })).stdout));
  return tracked.filter((path) => !known.has(path));
}

async function removeEntries(
  git: Git,
  index: string,
  paths: readonly string[],
  signal?: AbortSignal,
): Promise<void> {
  if (paths.length === 0) return;
  const input = paths.map((path) => `0 ${NO_OBJECT}\t${path}\0`).join("");
  await git.run(["update-index", "-z", "--index-info"], { index, input, signal });
}

interface Addition {
  readonly git: Git;
  readonly index: string;
  readonly uncovered: Uncovered[];
  readonly settings: readonly string[];
  readonly borrow: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * On failure the list is halved, until the path that git refuses stands alone. A file that gets shorter while git reads
 * it ends git by a signal; it may hold still the next time.
 */
async function addEntries(addition: Addition, paths: readonly string[], attempt = 1): Promise<void> {
  if (paths.length === 0) return;
  const { git, index, uncovered, ...options } = addition;
  const input = paths.map((path) => `${path}\0`).join("");
  const args = ["update-index", "-z", "--add", "--replace", "--remove", "--stdin"];
  try {
    const { stderr } = await git.run(args, { ...options, index, input });
    for (const [, path = ""] of stderr.matchAll(/^Ignoring path (.*)$/gm))
      uncovered.push({ path, reason: "special" });
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    await rm(`${index}.lock`, { force: true });
    if (paths.length === 1) {
      if (attempt < MAX_ATTEMPTS) return await addEntries(addition, paths, attempt + 1);
      await removeEntries(git, index, paths, options.signal);
      uncovered.push({ path: paths[0]!, reason: "unreadable" });
      return;
    }
    const middle = paths.length >> 1;
    await addEntries(addition, paths.slice(0, middle));
    await addEntries(addition, paths.slice(middle));
  }
}

async function exists(path: string): Promise<boolean> {
  return (await stateOf(path)) !== "";
}

async function stateOf(path: string): Promise<string> {
  const status = await stat(path, { bigint: true }).catch(() => undefined);
  return status ? `${status.ino} ${status.size} ${status.mtimeNs}` : "";
}

function textOf(path: string): string {
  return Buffer.from(path, BYTES).toString();
}
