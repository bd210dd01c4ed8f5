/** Files an agent reads and writes through its client: inside one directory, and nowhere else. */
import { mkdir, readFile, realpath, writeFile } from "node:fs/promises";
import { basename, dirname, isAbsolute, join, relative } from "node:path";
import type { RpcParams } from "../transport/json-rpc.ts";

/** The result of `fs/read_text_file`. Rejects for a path outside of `root`. */
export async function readTextFile(root: string, { path, line, limit }: RpcParams): Promise<object> {
  const file = await insideOf(root, path);
  const content = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    // Some agents ask before they create a file, and take an error for the end of it.
    if (error.code === "ENOENT") return "";
    throw error;
  });
  if (typeof line !== "number" && typeof limit !== "number") return { content };
  const start = typeof line === "number" ? Math.max(0, line - 1) : 0;
  const end = typeof limit === "number" ? start + limit : undefined;
  return { content: content.split("\n").slice(start, end).join("\n") };
}

/** The result of `fs/write_text_file`. Rejects for a path outside of `root`. */
export async function writeTextFile(root: string, { path, content }: RpcParams): Promise<object> {
  if (typeof content !== "string") throw new Error("there is no content to write");
  const file = await insideOf(root, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
  return {};
}

/** The path with its links resolved, as far as it exists. */
async function insideOf(root: string, path: unknown): Promise<string> {
  if (typeof path !== "string" || !isAbsolute(path)) throw new Error("the path must be absolute");
  const [top, file] = await Promise.all([realpath(root), resolveLinks(path)]);
  const way = relative(top, file);
  if (way.split("/")[0] === ".." || isAbsolute(way)) {
    throw new Error(`${path} is outside of the session's directory`);
  }
  return file;
}

async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const parent = dirname(path);
    if ((error as NodeJS.ErrnoException).code !== "ENOENT" || parent === path) throw error;
    return join(await resolveLinks(parent), basename(path));
  }
}
