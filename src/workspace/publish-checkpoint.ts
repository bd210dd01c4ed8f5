/**
 * Writes the commit of a checkpoint and the refs to it as git does: one small file for each, complete before it has its
 * name. Git itself would have to be started twice for that, while a prompt waits. What a commit holds is said elsewhere.
 */
import { mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { confirmLock, isLockHeld } from "./lock-context.ts";
import { flush, writeObject } from "./loose-object.ts";

const IDENTITY = "checkpoint <checkpoint@localhost>";

/** A git that outlived its daemon may be packing refs. */
const MAX_LOCK_ATTEMPTS = 50;
const RETRY_MS = 20;

export interface Publication {
  readonly store: string;
  /** Whether a ref has to be on disk before it is used. */
  readonly isDurable: boolean;
}

/** Gives the id that `git commit-tree` gives. */
export async function writeCommit(
  store: string,
  commit: { readonly tree: string; readonly message: Buffer /** Milliseconds. */; readonly at: number },
): Promise<string> {
  const who = `${IDENTITY} ${Math.floor(commit.at / 1000)} +0000`;
  const head = `tree ${commit.tree}\nauthor ${who}\ncommitter ${who}\n\n`;
  return await writeObject(store, "commit", Buffer.concat([Buffer.from(head), commit.message]));
}

/** Rejects if there is such a ref already. */
export async function createRef(publication: Publication, ref: string, id: string): Promise<void> {
  if ((await readLooseRef(publication.store, ref)) !== undefined) throw new Error(`${ref} is there already.`);
  await writeRef(publication, ref, id);
}

/** Does nothing where the ref says so already. */
export async function updateRef(publication: Publication, ref: string, id: string): Promise<void> {
  if ((await readLooseRef(publication.store, ref)) !== id) await writeRef(publication, ref, id);
}

async function readLooseRef(store: string, ref: string): Promise<string | undefined> {
  const text = await readFile(join(store, ref), "latin1").catch(() => undefined);
  return text?.trim();
}

/** By git's own rules: who has made the lock file may replace the ref. */
async function writeRef(publication: Publication, ref: string, id: string): Promise<void> {
  const path = join(publication.store, ref);
  const folder = dirname(path);
  const lock = `${path}.lock`;
  for (let attempt = 1; ; attempt += 1) {
    // Waited for before there is a file, which would be in the way of whoever has the lock of the directory by then.
    await confirmLock();
    try {
      await mkdir(folder, { recursive: true });
      await writeFile(lock, `${id}\n`, { flag: "wx", flush: publication.isDurable });
      // Who has that lock after us removes this file first: then there is nothing to rename any more.
      if (isLockHeld()) break;
      await rm(lock, { force: true });
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      // Who packs refs also removes folders that are empty.
      if (attempt === MAX_LOCK_ATTEMPTS || (code !== "EEXIST" && code !== "ENOENT")) throw error;
      await sleep(RETRY_MS);
    }
  }
  await rename(lock, path);
  if (publication.isDurable) await flush(folder);
}
