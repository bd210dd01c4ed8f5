/**
 * Opens what lies in the session's directory and nothing else. A path is resolved first, links included, and checked.
 * Then it is walked from the session's directory one name at a time without following links, so that a link that is put
 * there between check and use leads nowhere.
 *
 * Relative to an open directory this works by `/proc/self/fd`. Other systems use the path, and the last of its names is
 * the only one that is checked again.
 */
import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, realpath } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { fileFailure, ToolFailure } from "../tool-failure.ts";

const DIRECTORY_FLAGS = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW;

/** Resolving a path looks at each of its names many times. */
const MAX_PATH_LENGTH = 4096;
const MAX_PATH_NAMES = 200;

/** The path with all links resolved; what does not exist yet is taken as it is. Throws for what lies outside. */
export async function resolveInside(root: string, path: string): Promise<string> {
  assertUsable(path);
  const absolute = resolve(root, path);
  let real: string;
  try {
    real = await realPath(absolute);
  } catch (error) {
    // Nothing is told of what lies elsewhere.
    throw isWithin(root, absolute) ? fileFailure(path, error) : outside(path);
  }
  if (!isWithin(root, real)) throw outside(path);
  return real;
}

/** The path of an entry that is not followed if it is a link: only the directory it is in is resolved. */
export async function resolveEntryInside(root: string, path: string): Promise<string> {
  assertUsable(path);
  const absolute = resolve(root, path);
  if (absolute === root) throw new ToolFailure("not_a_file", "This is the session's directory itself.");
  const parent = await resolveInside(root, dirname(absolute)).catch((error: ToolFailure) => {
    throw error.code === "outside_directory" ? outside(path) : error;
  });
  return join(parent, basename(absolute));
}

/** A directory that stays the same however names above it change. */
export class OpenDirectory {
  /** Where it was when it was opened. */
  readonly path: string;
  readonly #handle: FileHandle;

  constructor(path: string, handle: FileHandle) {
    this.path = path;
    this.#handle = handle;
  }

  /** A path by which the system finds this entry. */
  at(name: string): string {
    return process.platform === "linux" ? `/proc/self/fd/${this.#handle.fd}/${name}` : join(this.path, name);
  }

  /** Rejects for a link. */
  async open(name: string): Promise<OpenDirectory> {
    return new OpenDirectory(join(this.path, name), await open(this.at(name), DIRECTORY_FLAGS));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#handle.close();
  }
}

/** `real` comes from `resolveInside`. The caller closes it. */
export async function openDirectory(
  root: string,
  real: string,
  options: { create?: boolean } = {},
): Promise<OpenDirectory> {
  let directory = new OpenDirectory(root, await open(root, DIRECTORY_FLAGS));
  for (const name of relative(root, real).split(sep).filter(Boolean)) {
    await using parent = directory;
    if (options.create)
      await mkdir(parent.at(name)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== "EEXIST") throw error;
      });
    directory = await parent.open(name);
  }
  return directory;
}

/** Both absolute and without `..`. */
export function isWithin(root: string, path: string): boolean {
  return path === root || path.startsWith(root.endsWith(sep) ? root : root + sep);
}

function assertUsable(path: string): void {
  if (path.includes("\0")) throw new ToolFailure("invalid_argument", "A path cannot hold a NUL character.");
  if (path.length > MAX_PATH_LENGTH || path.split("/").length > MAX_PATH_NAMES)
    throw new ToolFailure(
      "invalid_argument",
      `A path has at most ${MAX_PATH_LENGTH} characters and ${MAX_PATH_NAMES} names.`,
    );
}

function outside(path: string): ToolFailure {
  return new ToolFailure(
    "outside_directory",
    `${JSON.stringify(path)} is outside of the session's directory. Use a path inside of it.`,
  );
}

async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    if (await isLink(path)) throw new ToolFailure("not_found", "The link leads to nothing.");
    return join(await realPath(dirname(path)), basename(path));
  }
}

async function isLink(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined))?.isSymbolicLink() ?? false;
}
