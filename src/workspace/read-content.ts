/** Reads files as a checkpoint has them: what they hold, whether they can be run, and where a link points. */
import { lstatSync, type Stats } from "node:fs";
import { readFile, readlink } from "node:fs/promises";
import type { FileVersion } from "../core/workspace.ts";
import { pathBytes } from "./inspect-file.ts";
import { objectId } from "./loose-object.ts";

export interface FileContent extends FileVersion {
  readonly content: Buffer;
}

/** By path. Undefined if one of them is not to be had, or if they are too much together. */
export async function readContents(
  root: string,
  paths: Iterable<string>,
  maxBytes: number,
): Promise<Map<string, FileContent> | undefined> {
  const contents = new Map<string, FileContent>();
  let bytes = 0;
  for (const path of paths) {
    const name = pathBytes(root, path);
    const status = lstatSync(name, { throwIfNoEntry: false });
    const mode = status && modeOf(status);
    bytes += status?.size ?? 0;
    if (mode === undefined || bytes > maxBytes) return undefined;
    const content = await readContent(name, mode).catch(() => undefined);
    if (!content) return undefined;
    contents.set(path, { mode, content, id: objectId("blob", content) });
  }
  return contents;
}

async function readContent(name: Buffer, mode: string): Promise<Buffer> {
  return mode === "120000" ? await readlink(name, { encoding: "buffer" }) : await readFile(name);
}

/** Undefined for what a checkpoint cannot have. */
function modeOf(status: Stats): string | undefined {
  if (status.isSymbolicLink()) return "120000";
  if (!status.isFile()) return undefined;
  return (status.mode & 0o100) === 0 ? "100644" : "100755";
}
