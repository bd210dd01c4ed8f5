/** A file that goes along with a prompt. */
import { readFileSync } from "node:fs";
import { basename, extname, resolve } from "node:path";
import { readRegularFileSync } from "../../files/regular-file.ts";
import type { PromptPart } from "../../sdk/index.ts";
import { UsageError } from "../usage-error.ts";

/** About what the daemon takes in one request, whatever its limits. */
const MAX_ATTACHED_BYTES = 64 * 1024 * 1024;

/** A pipe that the shell opened for you, as for `--attach <(git diff)`. */
const SHELL_PIPE = /^\/dev\/fd\/(\d+)$/;

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
  const [, descriptor] = SHELL_PIPE.exec(path) ?? [];
  try {
    if (descriptor !== undefined) return readFileSync(Number(descriptor));
    return readRegularFileSync(path, { maxBytes: MAX_ATTACHED_BYTES, links: "own" });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UsageError(`--attach: ${code ? `${path} cannot be read (${code}).` : message}`);
  }
}
