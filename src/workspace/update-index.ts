/** Brings an index up to date with the files of a root: only what changed since is read. */
import { rm } from "node:fs/promises";
import { dirname, relative } from "node:path";
import { BYTES, type Git, GitError, NO_OBJECT, zeroSeparated } from "./git.ts";
import { inspectFiles } from "./inspect-file.ts";
import type { WorkspaceLimits } from "./limits.ts";
import { asArgument } from "./path-text.ts";
import { countEntries } from "./read-index.ts";
import type { Root } from "./root.ts";
import { WorkspaceError } from "./workspace-error.ts";

/** What a checkpoint does not have, and why. Paths are latin1. */
export interface Uncovered {
  readonly path: string;
  readonly reason: "too-large" | "unreadable" | "special";
}

export interface IndexOptions {
  readonly limits: WorkspaceLimits;
  readonly signal: AbortSignal | undefined;
  /** Since git 2.37 many new files share a pack; before, each would get its own. */
  readonly canPack: boolean;
}

/** Files that a restore puts beside those it writes, and those it moves aside. */
const TEMPORARY_FILE = /(^|\/)\.restore-[0-9a-f]{16}-\d+\.(tmp|old)$/;

/**
 * With more new files than this they go into packs. That the person's repository has many of them already would save
 * some time, but git writes a new time on each object that it finds there.
 */
const MANY_FILES = 500;

/** Git compares each file of a pack that it writes with all before it: 100,000 at once take twice as long. */
const MAX_FILES_PER_PACK = 10_000;

/** How often a file that git refuses is tried. */
const MAX_ATTEMPTS = 3;

/** What is known before git looks. */
export interface IndexHints {
  /** Files that the person's repository has although a rule ignores them. */
  readonly tracked: readonly string[];
  /** Files that have to be read, also if git finds them unchanged. */
  readonly suspects: readonly string[];
}

export interface IndexUpdate {
  readonly isChanged: boolean;
  readonly uncovered: Uncovered[];
  readonly repositories: string[];
}

/** Must run under the lock of the directory, with an index that nobody else uses. */
export async function updateIndex(
  root: Root,
  index: string,
  { tracked, suspects }: IndexHints,
  options: IndexOptions,
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
  const isPacked = into.length > MANY_FILES && options.canPack;
  const settings = isPacked ? ["core.bigFileThreshold=1", "core.compression=1"] : [];
  const atOnce = isPacked ? MAX_FILES_PER_PACK : into.length;
  for (let at = 0; at < into.length; at += atOnce)
    await addEntries({ git, index, uncovered, settings, signal }, into.slice(at, at + atOnce));
  const inPart = (path: string) => path.slice(prefix.length);
  return {
    isChanged: out.length > 0 || into.length > 0,
    uncovered: uncovered.map(({ path, reason }) => ({ path: inPart(path), reason })),
    repositories: unknown.repositories.map(inPart),
  };
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
  const part = prefix === "" ? [] : ["--", asArgument(prefix)];
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
  const isUsable = (path: string) =>
    path !== prefix && Buffer.from(asArgument(path)).toString(BYTES) === path;
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
