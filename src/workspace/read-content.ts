/** Reads files as a checkpoint has them: what they hold, whether they can be run, and where a link points. */
import type { BigIntStats } from "node:fs";
import { readlink } from "node:fs/promises";
import type { FileVersion } from "../core/workspace.ts";
import { readRegularFile } from "../files/regular-file.ts";
import { findStatus } from "./file-state.ts";
import { pathBytes } from "./inspect-file.ts";
import { objectId } from "./loose-object.ts";

export interface FileContent extends FileVersion {
  readonly content: Buffer;
}

/** With more git is faster. */
const MAX_FILES = 64;

/** By path. Undefined if one of them is not to be had, or if they are too many or too much together. */
export async function readContents(
  root: string,
  paths: Iterable<string>,
  maxBytes: number,
): Promise<Map<string, FileContent> | undefined> {
  const all = [...paths];
  if (all.length > MAX_FILES) return undefined;
  const names = all.map((path) => pathBytes(root, path));
  const found = names.map(findStatus);
  if (found.reduce((bytes, status) => bytes + Number(status?.size ?? 0), 0) > maxBytes) return undefined;
  const contents = await Promise.all(
    found.map((status, at) => readFileContent(names[at]!, status, maxBytes)),
  );
  const read = contents.filter((content) => content !== undefined);
  return read.length === all.length ? new Map(read.map((content, at) => [all[at]!, content])) : undefined;
}

async function readFileContent(
  name: Buffer,
  status: BigIntStats | undefined,
  maxBytes: number,
): Promise<FileContent | undefined> {
  const mode = status && modeOf(status);
  const content = mode && (await readContent(name, mode, maxBytes).catch(() => undefined));
  return mode && content ? { mode, content, id: objectId("blob", content) } : undefined;
}

/** What was a file a moment ago may be a pipe by now, or grow. */
async function readContent(name: Buffer, mode: string, maxBytes: number): Promise<Buffer> {
  if (mode === "120000") return await readlink(name, { encoding: "buffer" });
  return await readRegularFile(name, { maxBytes });
}

/** Undefined for what a checkpoint cannot have. */
function modeOf(status: BigIntStats): string | undefined {
  if (status.isSymbolicLink()) return "120000";
  if (!status.isFile()) return undefined;
  return (status.mode & 0o100n) === 0n ? "100644" : "100755";
}
