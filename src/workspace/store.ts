/**
 * The bare repository of ours for one directory: in the data directory, readable by nobody else. It has checkpoints on
 * refs, and for each root an index, the ignore rules that stand outside the work tree, and a ref to its last tree.
 */
import { createHash, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { errorText } from "../core/error-text.ts";
import { Git } from "./git.ts";
import { confirmLock } from "./lock-context.ts";
import { readSetting } from "./user-repository.ts";

/** Outranks the attributes of the tree: bytes are kept as they are, whatever filters and line endings it asks for. */
const ATTRIBUTES = "* -text -eol -filter -ident !working-tree-encoding !diff\n";

/** How the file system of the directory behaves, as the person's repository has found out. */
const FILE_SYSTEM_SETTINGS = ["core.ignoreCase", "core.fileMode", "core.symlinks", "core.precomposeUnicode"];

export const CHECKPOINT_REFS = "refs/checkpoints";
/** What the index of a root has, while things are deleted. */
export const INDEX_REFS = "refs/indexes";
export const MERGED_REFS = "refs/merged";
/** For each session the checkpoint that stays when it is old. */
export const KEPT_REFS = "refs/kept";
const ROOT_REFS = "refs/roots";

const STORE_NAME = /^[0-9a-f]{32}$/;
const SCRATCH_ENDING = ".scratch";

export function storeOf(workspaces: string, directory: string): string {
  return join(workspaces, shortHash(directory));
}

/** Where what belongs to one root is kept; the root is named by its path below the directory, as latin1. */
export function rootFolder(store: string, path: string): string {
  return join(store, "roots", rootKey(path));
}

export function rootRef(path: string): string {
  return `${ROOT_REFS}/${rootKey(path)}`;
}

/** Session ids are text of any kind; a part of a ref's name is not. */
export function sessionRefs(kind: string, session: string): string {
  const name = Array.from(Buffer.from(session), (byte) =>
    /[A-Za-z0-9_-]/.test(String.fromCharCode(byte))
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).padStart(2, "0")}`,
  ).join("");
  return `${kind}/${name}`;
}

/** The session whose refs have this name: the other way round. */
export function sessionOfRefs(name: string): string {
  const bytes = name.replace(/%([0-9a-f]{2})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, "latin1").toString();
}

export function isStore(store: string): boolean {
  return existsSync(join(store, "HEAD"));
}

/** All stores there are, without those that are just being made or deleted. */
export async function listStores(workspaces: string): Promise<string[]> {
  const names = await readdir(workspaces).catch(() => []);
  const stores = names.filter((name) => STORE_NAME.test(name)).map((name) => join(workspaces, name));
  return stores.filter(isStore);
}

export interface StoreFailure {
  readonly store: string;
  readonly error: unknown;
}

/** One that fails does not keep the others from their turn: gives what went wrong. Rejects only when aborted. */
export async function forEachStore(
  workspaces: string,
  action: (store: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<StoreFailure[]> {
  const failures: StoreFailure[] = [];
  for (const store of await listStores(workspaces)) {
    signal?.throwIfAborted();
    try {
      await action(store);
    } catch (error) {
      signal?.throwIfAborted();
      failures.push({ store, error });
    }
  }
  return failures;
}

/** For who cannot go on with one of them failed. */
export function throwFailures(failures: readonly StoreFailure[]): void {
  const [first] = failures;
  if (!first) return;
  if (failures.length === 1) throw first.error;
  throw new AggregateError(
    failures.map(({ error }) => error),
    `The checkpoints of ${failures.length} directories failed, first: ${errorText(first.error)}`,
  );
}

/** For people: whose checkpoints they are, what is wrong with them and what helps. */
export async function describeFailure({
  store,
  error,
}: StoreFailure): Promise<{ directory: string; problem: string }> {
  const remedy = `If that stays so, take ${store} from a backup, or delete it: then new checkpoints begin there.`;
  return {
    directory: await directoryOf(store).catch(() => store),
    problem: `${errorText(error).replace(/\.?$/, ".")} ${remedy}`,
  };
}

export async function directoryOf(store: string): Promise<string> {
  return (await readFile(join(store, "directory"), "utf8")).replace(/\n$/, "");
}

/** Makes it in a folder that is then renamed: one that was left half made is never taken for a whole one. */
export async function createStore(store: string, directory: string): Promise<void> {
  if (isStore(store)) return;
  await mkdir(join(store, ".."), { recursive: true, mode: 0o700 });
  await withScratch(store, async (making) => {
    await mkdir(making, { mode: 0o700 });
    const git = new Git(making, directory);
    await git.create();
    await mkdir(join(making, "info"), { recursive: true });
    await mkdir(join(making, "roots"));
    await writeFile(join(making, "info", "attributes"), ATTRIBUTES);
    await writeFile(join(making, "directory"), `${directory}\n`);
    for (const setting of FILE_SYSTEM_SETTINGS) {
      const value = await readSetting(directory, [setting]);
      if (value !== undefined) await git.run(["config", setting, value]);
    }
    // Git knows the empty tree without having it, but what packs and prunes does not.
    await git.run(["mktree"], { input: "" });
    await rename(making, store).catch((error: unknown) => {
      // Somebody else was faster.
      if (!isStore(store)) throw error;
    });
  });
}

/** Takes its name from it first: one that is half deleted is never taken for a whole one, nor is it in the way. */
export async function removeStore(store: string): Promise<void> {
  await confirmLock();
  await withScratch(store, (removing) => rename(store, removing));
}

/** What a killed daemon has left half made or half deleted. Only for whom the data directory belongs to. */
export async function removeHalfStores(workspaces: string): Promise<void> {
  const names = await readdir(workspaces).catch(() => []);
  const halves = names
    .filter((name) => name.endsWith(SCRATCH_ENDING) || STORE_NAME.test(name))
    .map((name) => join(workspaces, name))
    .filter((path) => !scratchInUse.has(path) && (path.endsWith(SCRATCH_ENDING) || !isStore(path)));
  // One that cannot go is in the way of its own directory only.
  for (const path of halves) await rm(path, { recursive: true, force: true }).catch(() => undefined);
}

/** The same of one store alone, under its lock, where others work beside it. */
export async function removeHalves(store: string): Promise<void> {
  const [folder, prefix] = [dirname(store), `${basename(store)}.`];
  const names = await readdir(folder).catch(() => []);
  const halves = names.filter((name) => name.startsWith(prefix) && name.endsWith(SCRATCH_ENDING));
  await confirmLock();
  for (const name of halves) await removeLeftover(join(folder, name));
  if (!isStore(store)) await rm(store, { recursive: true, force: true });
}

const scratchInUse = new Set<string>();

/** With the name of a folder beside the store. What has that name in the end goes. */
async function withScratch(store: string, action: (scratch: string) => Promise<void>): Promise<void> {
  const scratch = `${store}.${randomBytes(6).toString("hex")}${SCRATCH_ENDING}`;
  scratchInUse.add(scratch);
  try {
    await action(scratch);
  } finally {
    await rm(scratch, { recursive: true, force: true }).finally(() => scratchInUse.delete(scratch));
  }
}

/** What a killed git or daemon has left. Only under the lock, when nothing of ours runs. */
export async function removeLeftovers(store: string): Promise<void> {
  const names = await readdir(store, { recursive: true });
  const leftovers = names.filter((name) =>
    /(^|\/)(tmp_(obj|pack|idx|rev|mtimes)_[^/]*|[^/]*\.lock|[^/]*\.scratch)$/.test(name),
  );
  await Promise.all(leftovers.map((name) => removeLeftover(join(store, name))));
  await removeEmptied(store, names);
}

/** A node that has just lost its lease may still write into a scratch folder. The folder goes the next time then. */
async function removeLeftover(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOTEMPTY") throw error;
  });
}

/**
 * A power cut may leave a file that was just written empty. A commit or a ref without content would stop git from packing
 * for ever; such a checkpoint is given up.
 */
async function removeEmptied(store: string, names: readonly string[]): Promise<void> {
  const sizes = new Map<string, number>();
  const files = names.filter((name) => /^objects\/[0-9a-f]{2}\/[0-9a-f]{38}$|^refs\//.test(name));
  for (const name of files) {
    const status = await lstat(join(store, name)).catch(() => undefined);
    if (status?.isFile()) sizes.set(name, status.size);
  }
  const emptied = [...sizes.keys()].filter((name) => sizes.get(name) === 0);
  if (emptied.length === 0) return;
  await Promise.all(emptied.map((name) => rm(join(store, name), { force: true })));
  const git = new Git(store, store);
  for (const name of sizes.keys()) {
    if (!name.startsWith("refs/") || emptied.includes(name)) continue;
    const id = (await readFile(join(store, name), "latin1")).trim();
    const { code } = await git.run(["rev-list", "--objects", "--quiet", id], { allowedCodes: [1, 128] });
    if (code !== 0) await rm(join(store, name));
  }
}

/** Whether git takes a file for what the system says it is: a link, or one that can be run. */
export async function trustsModes(store: string): Promise<boolean> {
  const config = await readFile(join(store, "config"), "utf8").catch(() => "filemode = false");
  return !/^\s*(filemode|symlinks)\s*=\s*false\b/im.test(config);
}

function rootKey(path: string): string {
  return path === "" ? "main" : shortHash(path);
}

function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}
