/** Keeps a repository of ours small: drops checkpoints, packs what stays and deletes what nothing refers to. */
import { existsSync } from "node:fs";
import { lstat, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { type CheckpointRef, deleteCheckpoints, listCheckpoints } from "./checkpoint-refs.ts";
import { type Git, GitError } from "./git.ts";
import type { WorkspaceLimits } from "./limits.ts";
import { INDEX_REFS, removeLeftovers } from "./store.ts";

/** Those that are too old or too many. The first and the latest of a session stay, and those to be kept. */
export function selectExpired(
  checkpoints: readonly CheckpointRef[],
  { maxAgeMs, maxCheckpoints }: Pick<WorkspaceLimits, "maxAgeMs" | "maxCheckpoints">,
  keep: ReadonlySet<string>,
  now: number,
): CheckpointRef[] {
  const expired: CheckpointRef[] = [];
  for (const own of Map.groupBy(checkpoints, ({ session }) => session).values()) {
    const isFixed = (each: CheckpointRef) => each === own[0] || each === own.at(-1) || keep.has(each.id);
    const candidates = own.filter((each) => !isFixed(each));
    const surplus = Math.max(0, own.length - maxCheckpoints);
    expired.push(...candidates.filter(({ at }, place) => place < surplus || now - at > maxAgeMs));
  }
  return expired;
}

export interface UpkeepOptions {
  readonly limits: WorkspaceLimits;
  readonly keep: ReadonlySet<string>;
  readonly now: number;
  /** Ends git in the middle, which is safe: nothing is deleted before its copy is complete. */
  readonly signal: AbortSignal | undefined;
}

/** Must run under the lock of the directory. Gives the ids of the checkpoints that are gone. */
export async function collectGarbage(git: Git, options: UpkeepOptions): Promise<string[]> {
  await removeLeftovers(git.store);
  const checkpoints = await listCheckpoints(git);
  const expired = selectExpired(checkpoints, options.limits, options.keep, options.now);
  await deleteCheckpoints(git, expired);
  if (expired.length === checkpoints.length) {
    await rm(git.store, { recursive: true, force: true });
  } else if (expired.length > 0 || (await hasManyFiles(git.store))) await pack(git, options.signal);
  return expired.map(({ id }) => id);
}

/** Also deletes what nothing refers to, except what is so new that a git might still be at it. */
export async function pack(git: Git, signal?: AbortSignal, expire = "1.hour.ago"): Promise<void> {
  await pinIndexes(git, signal);
  await git.run(["pack-refs", "--all"], { signal });
  await git.run(["repack", "-adq", "--no-write-bitmap-index"], {
    signal,
    settings: ["pack.threads=1", "repack.writeBitmaps=false"],
  });
  await git.run(["prune", `--expire=${expire}`], { signal });
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
