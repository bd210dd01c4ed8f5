/**
 * Earlier results of a conversation. A long one is kept in a file of the program's state directory, and the model gets a
 * reference with a preview; it reads the rest with `get_tool_result`.
 */
import { createHash } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readRegularFile } from "../../../../files/regular-file.ts";
import type { ToolResult } from "./tool.ts";

export interface StoredResult {
  readonly name: string;
  readonly args: unknown;
  /** As JSON. */
  readonly result: string;
}

export interface ResultStore {
  /** Keeps a result. Resolves with what the model gets: the result itself, or a reference and a preview. Never rejects. */
  put(callId: string, name: string, args: unknown, result: ToolResult): Promise<ToolResult>;
  /** Undefined for calls that are unknown, or too old. */
  get(callId: string): Promise<StoredResult | undefined>;
}

export interface ResultStoreOptions {
  /** Created when first needed. */
  readonly directory: string;
  /** Longer results are given by reference. In characters of their JSON. */
  readonly maxInlineLength?: number;
  /** Of short results in memory, in characters. The oldest are forgotten. */
  readonly maxMemoryLength?: number;
  /** Of all files. The oldest are removed. */
  readonly maxFileBytes?: number;
}

/** Longer results are given by reference. `get_tool_result` gives pages that are shorter. */
export const MAX_INLINE_LENGTH = 32_000;
export const PREVIEW_LENGTH = 500;
const MAX_MEMORY_LENGTH = 4 * 1024 * 1024;
const MAX_FILE_BYTES = 256 * 1024 * 1024;

/** A longer result is cut before it is kept. */
const MAX_RESULT_LENGTH = 16 * 1024 * 1024;

export function createResultStore(options: ResultStoreOptions): ResultStore {
  const maxInlineLength = options.maxInlineLength ?? MAX_INLINE_LENGTH;
  const maxMemoryLength = options.maxMemoryLength ?? MAX_MEMORY_LENGTH;
  /** In the order they came. */
  const short = new Map<string, StoredResult>();
  let shortLength = 0;

  const fileOf = (callId: string) =>
    join(options.directory, `${createHash("sha256").update(callId).digest("hex")}.json`);

  const remember = (callId: string, stored: StoredResult) => {
    shortLength += stored.result.length - (short.get(callId)?.result.length ?? 0);
    short.delete(callId);
    short.set(callId, stored);
    for (const [oldest, { result }] of short) {
      if (shortLength <= maxMemoryLength) break;
      short.delete(oldest);
      shortLength -= result.length;
    }
  };

  return {
    async put(callId, name, args, result) {
      // A page of a result is short, and itself no result to page through.
      if (name === "get_tool_result") return result;
      const text = JSON.stringify(result);
      if (text.length <= maxInlineLength) {
        remember(callId, { name, args, result: text });
        return result;
      }
      const kept = text.slice(0, MAX_RESULT_LENGTH);
      const reference = {
        type: result.type,
        tool_call_id: callId,
        is_preview: true,
        total_length: kept.length,
        ...(kept.length < text.length && { cut_from_length: text.length }),
        preview: previewOf(result, text),
      };
      try {
        await mkdir(options.directory, { recursive: true, mode: 0o700 });
        await writeFile(fileOf(callId), JSON.stringify({ name, args, result: kept }), { mode: 0o600 });
        await removeOldest(options.directory, options.maxFileBytes ?? MAX_FILE_BYTES);
      } catch (error) {
        const reason = (error as Error).message;
        return { ...reference, note: `The result is too long to show, and could not be kept: ${reason}` };
      }
      const note = `The result is too long to show. Read it in pages with get_tool_result {"tool_call_id": ${JSON.stringify(callId)}, "offset": 0}.`;
      return { ...reference, note };
    },

    async get(callId) {
      const stored = short.get(callId);
      if (stored) return stored;
      try {
        const content = await readRegularFile(fileOf(callId), { maxBytes: MAX_FILE_BYTES });
        return JSON.parse(content.toString());
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
  };
}

/** The longest text of the result tells more than the names of its fields. */
function previewOf(result: ToolResult, json: string): string {
  const texts = Object.values(result).filter((value) => typeof value === "string");
  const longest = texts.reduce((one, other) => (other.length > one.length ? other : one), "");
  return (longest.length > PREVIEW_LENGTH ? longest : json).slice(0, PREVIEW_LENGTH);
}

async function removeOldest(directory: string, maxBytes: number): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".json"));
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(directory, name);
      const { size, mtimeMs } = await stat(path);
      return { path, size, mtimeMs };
    }),
  );
  let bytes = files.reduce((sum, { size }) => sum + size, 0);
  for (const { path, size } of files.sort((one, other) => one.mtimeMs - other.mtimeMs)) {
    if (bytes <= maxBytes) return;
    await rm(path, { force: true });
    bytes -= size;
  }
}
