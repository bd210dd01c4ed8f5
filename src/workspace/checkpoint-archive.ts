/**
 * All checkpoints in one file, for backups: an SQLite database with a pack of git for each directory. It is written while a
 * daemon works: the refs are read first, and what they refer to stays as it is.
 */
import { createHash } from "node:crypto";
import {
  closeSync,
  createReadStream,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createPrivateFile } from "../files/private-file.ts";
import { DirectoryLocks } from "./directory-lock.ts";
import { Git, NO_OBJECT } from "./git.ts";
import {
  CHECKPOINT_REFS,
  createStore,
  directoryOf,
  isStore,
  KEPT_REFS,
  listStores,
  MERGED_REFS,
  removeHalfStores,
  storeOf,
} from "./store.ts";
import { WorkspaceError } from "./workspace-error.ts";

const SCHEMA = `
  CREATE TABLE directory (id INTEGER PRIMARY KEY, path TEXT NOT NULL, refs TEXT NOT NULL, digest TEXT NOT NULL);
  CREATE TABLE part (directory INTEGER NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL,
    PRIMARY KEY (directory, number)) WITHOUT ROWID;
`;
const PART_BYTES = 2 ** 22;
/** A garbage collection may drop a checkpoint between the reading of its ref and that of its files. */
const ATTEMPTS = 5;

export interface ArchiveResult {
  readonly checkpoints: number;
  readonly directories: number;
}

export interface ImportResult extends ArchiveResult {
  /** Directories that are not on this machine; their checkpoints were left out. */
  readonly missing: readonly string[];
}

interface Ref {
  readonly name: string;
  readonly id: string;
}

/** `file` does not exist yet. Rejects if not everything could be written; then there is none. */
export async function exportCheckpoints(workspaces: string, file: string): Promise<ArchiveResult> {
  createPrivateFile(file);
  const database = new DatabaseSync(file);
  const scratch = await mkdtemp(`${file}.packing-`);
  let [checkpoints, directories] = [0, 0];
  try {
    database.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; ${SCHEMA}`);
    for (const store of await listStores(workspaces)) {
      const packed = await packStore(store, scratch);
      if (!packed) continue;
      directories += 1;
      checkpoints += packed.refs.filter(({ name }) => name.startsWith(`${CHECKPOINT_REFS}/`)).length;
      const digest = await insertParts(database, directories, packed.path);
      database
        .prepare("INSERT INTO directory VALUES (?, ?, ?, ?)")
        .run(directories, packed.directory, JSON.stringify(packed.refs), digest);
      rmSync(packed.path);
    }
    database.close();
    return { checkpoints, directories };
  } catch (error) {
    database.close();
    rmSync(file, { force: true });
    throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface PackedStore {
  readonly directory: string;
  readonly refs: readonly Ref[];
  readonly path: string;
}

/** Undefined if it has gone, or has no checkpoint. */
async function packStore(store: string, scratch: string): Promise<PackedStore | undefined> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const directory = await directoryOf(store);
      const git = new Git(store, store);
      const refs = await readRefs(git);
      if (!refs.some(({ name }) => name.startsWith(`${CHECKPOINT_REFS}/`))) return undefined;
      const input = [...new Set(refs.map(({ id }) => `${id}\n`))].join("");
      const hash = await git.line(["pack-objects", "-q", "--revs", join(scratch, "pack")], {
        input,
        isBackground: true,
      });
      rmSync(join(scratch, `pack-${hash}.idx`), { force: true });
      return { directory, refs, path: join(scratch, `pack-${hash}.pack`) };
    } catch (error) {
      if (!isStore(store)) return undefined;
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

async function readRefs(git: Git): Promise<Ref[]> {
  const patterns = [CHECKPOINT_REFS, MERGED_REFS, KEPT_REFS].map((prefix) => `${prefix}/`);
  const { stdout } = await git.run(["for-each-ref", "--format=%(objectname) %(refname)", ...patterns]);
  const lines = stdout.toString().split("\n").slice(0, -1);
  return lines.map((line) => ({ id: line.slice(0, 40), name: line.slice(41) }));
}

/** Gives the digest of the whole pack. */
async function insertParts(database: DatabaseSync, directory: number, path: string): Promise<string> {
  const insert = database.prepare("INSERT INTO part VALUES (?, ?, ?)");
  const digest = createHash("sha256");
  let number = 0;
  for await (const bytes of createReadStream(path, { highWaterMark: PART_BYTES })) {
    digest.update(bytes as Buffer);
    insert.run(directory, number, bytes as Buffer);
    number += 1;
  }
  return digest.digest("hex");
}

/**
 * Adds the checkpoints of an archive to those that are there. Everything is read and compared before the first one is added;
 * rejects with a sentence if the archive is damaged.
 */
export async function importCheckpoints(file: string, workspaces: string): Promise<ImportResult> {
  await mkdir(workspaces, { recursive: true, mode: 0o700 });
  removeLeftovers(workspaces);
  await removeHalfStores(workspaces);
  const scratch = await mkdtemp(join(workspaces, LEFTOVER));
  try {
    const packs = await readArchive(file, scratch);
    const present = packs.filter(({ path }) => existsSync(path));
    let checkpoints = 0;
    for (const each of present) checkpoints += await addPack(storeOf(workspaces, each.path), each);
    const missing = packs.filter((each) => !present.includes(each)).map(({ path }) => path);
    return { checkpoints, directories: present.length, missing };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const LEFTOVER = "importing-";

function removeLeftovers(workspaces: string): void {
  for (const name of readdirSync(workspaces).filter((each) => each.startsWith(LEFTOVER)))
    rmSync(join(workspaces, name), { recursive: true, force: true });
}

interface ArchivedDirectory {
  readonly id: number;
  readonly path: string;
  readonly refs: readonly Ref[];
  readonly digest: string;
  /** Without its suffix: a pack and its index. */
  readonly pack: string;
  /** Of the pack, as git names it. */
  readonly hash: string;
}

/** All of it, as packs that git can read. */
async function readArchive(file: string, scratch: string): Promise<ArchivedDirectory[]> {
  // Git reads a pack only with a repository around it.
  const git = new Git(join(scratch, "repository"), scratch);
  await git.create();
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      const found: ArchivedDirectory[] = [];
      for (const row of database.prepare("SELECT id, path, refs, digest FROM directory ORDER BY id").all()) {
        const [id, path, digest] = [Number(row.id), String(row.path), String(row.digest)];
        const pack = join(scratch, String(id));
        if (extract(database, id, `${pack}.pack`) !== digest)
          throw new Error(`the checkpoints of ${path} are not what was written`);
        const hash = await git.line(["index-pack", `${pack}.pack`]);
        found.push({ id, path, digest, pack, hash, refs: JSON.parse(String(row.refs)) as Ref[] });
      }
      return found;
    } finally {
      database.close();
    }
  } catch (error) {
    const reason = (error as Error).message.replace(/\.$/, "");
    throw new WorkspaceError(`${file} is damaged, so nothing was changed: ${reason}. Give another backup.`, {
      cause: error,
    });
  }
}

/** Writes a pack and gives its digest. */
function extract(database: DatabaseSync, directory: number, target: string): string {
  const digest = createHash("sha256");
  const descriptor = openSync(target, "wx", 0o600);
  try {
    const parts = database.prepare("SELECT bytes FROM part WHERE directory = ? ORDER BY number");
    for (const { bytes } of parts.iterate(directory)) {
      digest.update(bytes as Uint8Array);
      writeFileSync(descriptor, bytes as Uint8Array);
    }
  } finally {
    closeSync(descriptor);
  }
  return digest.digest("hex");
}

/** Gives the number of checkpoints. The pack is in place, and whole, before anything refers to it. */
async function addPack(store: string, { path, refs, pack, hash }: ArchivedDirectory): Promise<number> {
  await createStore(store, path);
  return await new DirectoryLocks().hold(store, async () => {
    const git = new Git(store, store, { isDurable: true });
    const place = join(store, "objects", "pack", `pack-${hash}`);
    await mkdir(dirname(place), { recursive: true });
    for (const suffix of [".pack", ".idx"]) await rename(`${pack}${suffix}`, `${place}${suffix}`);
    const ids = [...new Set(refs.map(({ id }) => `${id}\n`))].join("");
    await git.run(["rev-list", "--objects", "--quiet", "--stdin"], { input: ids });
    const input = toUpdates(refs, await readRefs(git));
    await git.run(["update-ref", "--no-deref", "-z", "--stdin"], { input });
    return refs.filter(({ name }) => name.startsWith(`${CHECKPOINT_REFS}/`)).length;
  });
}

/** One that has another checkpoint under its number gets the next number of its session. */
function toUpdates(refs: readonly Ref[], present: readonly Ref[]): string {
  const ids = new Map(present.map(({ name, id }) => [name, id]));
  const updates: string[] = [];
  for (const { name, id } of refs) {
    if (ids.get(name) === id) continue;
    let free = name;
    while (ids.has(free) && !name.startsWith(`${KEPT_REFS}/`))
      free = free.replace(/\d+$/, (number) => String(Number(number) + 1));
    updates.push(`update ${free}\0${id}\0${ids.get(free) ?? NO_OBJECT}\0`);
    ids.set(free, id);
  }
  return updates.join("");
}
