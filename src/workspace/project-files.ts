/** Reads files of a session's directory that its agent wants to change: regular ones, and no others. */
import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { isInside } from "../core/is-inside.ts";
import type { ProjectFiles } from "../core/project-files.ts";
import { lookAt, readRegularFile } from "../files/regular-file.ts";

export function openProjectFiles(): ProjectFiles {
  return { readText };
}

async function readText(path: string, directory: string): Promise<string | undefined> {
  const inside = await lookAt(directory, () => realpath(directory));
  const file = resolve(path);
  // The rest of the disk is not even asked whether the file exists.
  if (!isInside(file, directory) && !isInside(file, inside))
    throw new Error(`${path} is outside of the session's directory.`);
  const bytes = await readRegularFile(file, { inside }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error.code === undefined ? error : new Error(`${path} cannot be read (${error.code}).`);
  });
  return bytes && decode(path, bytes);
}

function decode(path: string, bytes: Buffer): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Said below.
  }
  throw new Error(`${path} is no UTF-8 text.`);
}
