/** Keeps a repository of ours small: drops checkpoints, packs what stays and deletes what nothing refers to. */
import { existsSync } from "node:fs";
import { lstat, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CheckpointRef, deleteCheckpoints, listCheckpoints, listKept } from "./checkpoint-refs.ts";
import { type Git, GitError } from "./git.ts";
import type { WorkspaceLimits } from "./limits.ts";
import { INDEX_REFS, removeLeftovers, removeStore } from "./store.ts";

/** Those that are too old or too many. The first and the latest of a session stay, and those to be kept. */
export function selectExpired(
  checkpoints: readonly CheckpointRef[],
  { maxAgeMs, maxCheckpoints }: Pick<WorkspaceLimits, "maxAgeMs" | "maxCheckpoints">,
  keep: ReadonlySet<string>,
  now: number,
): CheckpointRef[] {
  const fixed = fixedOf(checkpoints, keep);
  const expired: CheckpointRef[] = [];
  for (const own of Map.groupBy(checkpoints, ({ session }) => session).values()) {
    const candidates = own.filter((each) => !fixed.has(each));
    const surplus = Math.max(0, own.length - maxCheckpoints);
    expired.push(...candidates.filter(({ at }, place) => place < surplus || now - at > maxAgeMs));
  }
  return expired;
}

/** Part of those that go next where all take too much room, the oldest first. The newest of all stays. */
export function selectSurplus(
  checkpoints: readonly CheckpointRef[],
  keep: ReadonlySet<string>,
): CheckpointRef[] {
  const byAge = checkpoints.toSorted((a, b) => a.at - b.at || a.number - b.number).slice(0, -1);
  const fixed = fixedOf(checkpoints, keep);
  const ordinary = byAge.filter((each) => !fixed.has(each));
  const candidates = ordinary.length > 0 ? ordinary : byAge;
  return candidates.slice(0, Math.ceil(candidates.length / 4));
}

function fixedOf(
  checkpoints: readonly CheckpointRef[],
  keep: ReadonlySet<string>,
): ReadonlySet<CheckpointRef> {
  const fixed = new Set(checkpoints.filter(({ id }) => keep.has(id)));
  for (const own of Map.groupBy(checkpoints, ({ session }) => session).values())
    fixed.add(own[0]!).add(own.at(-1)!);
  return fixed;
}

export interface GarbageOptions {
  readonly limits: WorkspaceLimits;
  readonly now: number;
  /** Ends git in the middle, which is safe: nothing is deleted before its copy is complete. */
  readonly signal: AbortSignal | undefined;
}

/** Must run under the lock of the directory. Gives the number of checkpoints that are gone. */
export async function collectGarbage(git: Git, { limits, now, signal }: GarbageOptions): Promise<number> {
  await removeLeftovers(git.store);
  const keep = await listKept(git);
  let checkpoints = await listCheckpoints(git);
  const count = checkpoints.length;
  const drop = async (dropped: readonly CheckpointRef[]) => {
    if (dropped.length === 0) return;
    await noteGarbage(git.store);
    await deleteCheckpoints(git, dropped);
    checkpoints = checkpoints.filter((each) => !dropped.includes(each));
  };
  await drop(selectExpired(checkpoints, limits, keep, now));
  if (checkpoints.length === 0) await removeStore(git.store);
  else if (hasGarbage(git.store) || (await hasManyFiles(git.store))) await pack(git, signal);
  while (checkpoints.length > 1 && (await sizeOf(git.store)) > limits.maxKeptBytes) {
    await drop(selectSurplus(checkpoints, keep));
    await pack(git, signal);
  }
  return count - checkpoints.length;
}

/** Something in it is of no use any more: the next collection deletes that, also if one is ended in the middle. */
export async function noteGarbage(store: string): Promise<void> {
  await writeFile(join(store, GARBAGE_NOTE), "");
}

function hasGarbage(store: string): boolean {
  return existsSync(join(store, GARBAGE_NOTE));
}

const GARBAGE_NOTE = "has-garbage";

/** Also deletes what nothing refers to. */
async function pack(git: Git, signal: AbortSignal | undefined): Promise<void> {
  const background = { signal, isBackground: true };
  await pinIndexes(git, signal);
  await git.run(["pack-refs", "--all"], background);
  await git.run(["repack", "-adq", "--no-write-bitmap-index"], {
    ...background,
    settings: ["pack.threads=1", "repack.writeBitmaps=false"],
  });
  await git.run(["prune", "--expire=now"], background);
  await rm(join(git.store, GARBAGE_NOTE), { force: true });
}

/**
 * An index refers to contents too, and what deletes does not know ours. One that was left by a checkpoint that did not come
 * about has some that nothing else refers to.
 */
async function pinIndexes(git: Git, signal?: AbortSignal): Promise<void> {
  for (const name of await readdir(join(git.store, "roots"))) {
    const index = join(git.store, "roots", name, "index");
    if (!existsSync(index)) continue;
    try {
      const tree = await git.line(["write-tree"], { index, signal });
      await git.run(["update-ref", "--no-deref", `${INDEX_REFS}/${name}`, tree], { signal });
    } catch (error) {
      if (!(error instanceof GitError)) throw error;
      // It cannot be used anyhow, and is made again.
      await rm(index, { force: true });
    }
  }
}

/** In bytes, without following links. */
export async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true }).catch(() => [])) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) bytes += await sizeOf(path);
    else bytes += (await lstat(path).catch(() => undefined))?.size ?? 0;
  }
  return bytes;
}

const MAX_LOOSE_FOLDERS = 64;
const MAX_PACKS = 8;

async function hasManyFiles(store: string): Promise<boolean> {
  const objects = await readdir(join(store, "objects")).catch(() => []);
  const packs = await readdir(join(store, "objects", "pack")).catch(() => []);
  const loose = objects.filter((name) => name.length === 2).length;
  return loose > MAX_LOOSE_FOLDERS || packs.filter((name) => name.endsWith(".pack")).length > MAX_PACKS;
}
