/** Writes objects of git as it does itself: one file for each, complete before it has its name. */
import { createHash, randomBytes } from "node:crypto";
import { access, lstat, mkdir, open, readdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { deflate } from "node:zlib";

const WRITTEN_OUT_MS = 600_000;

const compress = promisify(deflate);

export type ObjectType = "blob" | "tree" | "commit";

/** Where an object is as long as it is in no pack. */
export function looseObject(store: string, id: string): string {
  return join(store, "objects", id.slice(0, 2), id.slice(2));
}

export async function isLoose(store: string, id: string): Promise<boolean> {
  return await access(looseObject(store, id)).then(
    () => true,
    () => false,
  );
}

/** The id that git gives to a content. */
export function objectId(type: ObjectType, content: Buffer): string {
  return createHash("sha1").update(header(type, content)).update(content).digest("hex");
}

/** Gives its id. It is not on disk yet, only handed to the system. */
export async function writeObject(store: string, type: ObjectType, content: Buffer): Promise<string> {
  const id = objectId(type, content);
  if (await isLoose(store, id)) return id;
  const path = looseObject(store, id);
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  // Git and we remove files of this name when nobody is at them.
  const temporary = join(folder, `tmp_obj_${randomBytes(6).toString("hex")}`);
  const compressed = await compress(Buffer.concat([header(type, content), content]), { level: 1 });
  await writeFile(temporary, compressed, { flag: "wx", mode: 0o444 });
  await rename(temporary, path);
  return id;
}

/** Waits until all objects are on disk that were written lately. Older ones the system has written out by itself. */
export async function flushObjects(store: string): Promise<void> {
  const objects = join(store, "objects");
  const folders = new Set<string>();
  for (const entry of await readdir(objects, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const status = entry.isFile() ? await lstat(path).catch(() => undefined) : undefined;
    if (!status || Date.now() - status.mtimeMs > WRITTEN_OUT_MS) continue;
    await flush(path);
    folders.add(entry.parentPath);
  }
  for (const folder of [objects, ...folders]) await flush(folder);
}

/** A file, or the names in a folder. */
export async function flush(path: string | Buffer): Promise<void> {
  await using opened = await open(path);
  await opened.sync();
}

function header(type: ObjectType, { length }: Buffer): Buffer {
  return Buffer.from(`${type} ${length}\0`);
}
