/** Searches the text of files. */
import { join } from "node:path";
import { z } from "zod";
import { type OpenDirectory, openDirectory, resolveInside } from "./files/confined-directory.ts";
import { readBytes } from "./files/read-bytes.ts";
import { decodeText } from "./files/text-content.ts";
import { SKIPPED_DIRECTORIES, walkDirectory } from "./files/walk-directory.ts";
import type { SearchMatch, SearchSettings } from "./search/search-protocol.ts";
import { startSearchThread } from "./search/search-thread.ts";
import type { ModelTool } from "./tool.ts";
import { fileFailure, ToolFailure } from "./tool-failure.ts";

const MAX_RESULTS = 200;
const MAX_FILE_BYTES = 2 * 1024 * 1024;
const MAX_TOTAL_BYTES = 256 * 1024 * 1024;
/** Given to the thread at once, and for how long it may look at them. */
const BATCH_BYTES = 1024 * 1024;
const BATCH_FILES = 100;
const BATCH_MS = 10_000;
/** Then the search ends with what it has. */
const MAX_SEARCH_MS = 60_000;

const input = z.object({
  path: z.string().describe("A directory, relative to the working directory or absolute inside of it."),
  regex: z.string().describe("A regular expression of JavaScript, looked for in each line."),
  file_pattern: z.string().optional().describe("Only files like this, such as *.ts or src/**/*.ts."),
});

export const searchFiles: ModelTool<z.infer<typeof input>> = {
  name: "search_files",
  kind: "search",
  description: `Searches all text files below a directory, line by line, hidden ones too. Not entered: ${[...SKIPPED_DIRECTORIES].join(", ")}. At most ${MAX_RESULTS} results.`,
  input,
  permission: "none",
  title: ({ path, regex, file_pattern }) =>
    `Search ${path} for ${regex}${file_pattern === undefined ? "" : ` in ${file_pattern}`}`,
  async run({ path, regex, file_pattern }, { cwd, signal }) {
    try {
      const settings = { ...expressionOf(regex), filePattern: file_pattern };
      await using directory = await openDirectory(cwd, await resolveInside(cwd, path));
      const { results, isCut } = await search(directory, settings, signal);
      return {
        result: {
          type: "search_files_result",
          path,
          // So that read_file finds them.
          results: results.map((match) => ({ ...match, path: join(path, match.path) })),
          ...(isCut && { truncated: true }),
        },
      };
    } catch (error) {
      throw fileFailure(path, error);
    }
  },
};

/** A leading `(?i)`, as other languages have it, is taken too. */
function expressionOf(regex: string): SearchSettings {
  const [, letters = "", source = ""] = /^(?:\(\?([imsu]+)\))?(.*)$/s.exec(regex) ?? [];
  const flags = [...new Set(letters)].join("");
  try {
    new RegExp(source, flags);
  } catch (error) {
    throw new ToolFailure(
      "invalid_argument",
      `The regular expression is not valid: ${(error as Error).message}.`,
    );
  }
  return { source, flags };
}

async function search(
  directory: OpenDirectory,
  settings: SearchSettings,
  signal: AbortSignal,
): Promise<{ results: SearchMatch[]; isCut: boolean }> {
  await using thread = startSearchThread(settings, { answerMs: BATCH_MS, signal });
  const results: SearchMatch[] = [];
  let totalBytes = 0;
  let batch: { path: string; text: string }[] = [];
  let batchBytes = 0;
  const deadline = performance.now() + MAX_SEARCH_MS;
  const isFull = () =>
    results.length > MAX_RESULTS || totalBytes > MAX_TOTAL_BYTES || performance.now() > deadline;
  const flush = async () => {
    if (batch.length > 0) results.push(...(await thread.search(batch, MAX_RESULTS + 1)));
    batch = [];
    batchBytes = 0;
  };

  for await (const { path, name, kind, ...entry } of walkDirectory(directory, {
    isRecursive: true,
    withHidden: true,
  })) {
    if (signal.aborted) throw new ToolFailure("aborted", "The search was stopped.");
    if (isFull()) break;
    if (kind !== "file") continue;
    if (settings.filePattern !== undefined && !(await thread.isWanted(path))) continue;
    const text = await readText(entry.directory, name);
    if (text === undefined) continue;
    batch.push({ path, text });
    batchBytes += text.length;
    totalBytes += text.length;
    if (batchBytes >= BATCH_BYTES || batch.length >= BATCH_FILES) await flush();
  }
  await flush();
  return { results: results.slice(0, MAX_RESULTS), isCut: isFull() };
}

/** Undefined for files that are no text, too large, or gone. */
async function readText(directory: OpenDirectory, name: string): Promise<string | undefined> {
  try {
    const { bytes, isCut } = await readBytes(directory, name, MAX_FILE_BYTES);
    return isCut ? undefined : decodeText(name, bytes).text;
  } catch {
    return undefined;
  }
}
