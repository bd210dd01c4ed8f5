/** A file that goes along with a prompt. */
import { readFileSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import type { PromptPart } from "../../sdk/index.ts";
import { UsageError } from "../usage-error.ts";

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".png": "image/png",
  ".jpg": "image/jpeg",
  ".jpeg": "image/jpeg",
  ".gif": "image/gif",
  ".webp": "image/webp",
  ".pdf": "application/pdf",
  ".json": "application/json",
  ".md": "text/markdown",
};

export function attachedFile(cwd: string, path: string): PromptPart {
  const bytes = read(resolve(cwd, path));
  const mediaType = MEDIA_TYPES[extname(path).toLowerCase()] ?? typeOf(bytes);
  const url = `data:${mediaType};base64,${bytes.toString("base64")}`;
  return { type: "file", url, mediaType, filename: basename(path) };
}

function typeOf(bytes: Buffer): string {
  return bytes.includes(0) ? "application/octet-stream" : "text/plain";
}

function read(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (error) {
    throw new UsageError(`--attach: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
