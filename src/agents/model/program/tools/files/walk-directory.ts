/** Walks a directory of the session, in the order of names. Links are told and never followed. */
import { opendir } from "node:fs/promises";
import { join } from "node:path";
import type { OpenDirectory } from "./confined-directory.ts";

export interface WalkedEntry {
  /** Where it lies; for reading it. */
  readonly directory: OpenDirectory;
  readonly name: string;
  /** Below the directory the walk began in. */
  readonly path: string;
  readonly kind: "file" | "directory" | "link" | "other";
}

export interface WalkOptions {
  readonly isRecursive: boolean;
  /** Names that begin with a dot. */
  readonly withHidden: boolean;
}

/** Made by tools, large, and hardly ever what is meant. They are listed and not entered. */
export const SKIPPED_DIRECTORIES: ReadonlySet<string> = new Set([
  ".git",
  ".hg",
  ".svn",
  ".venv",
  ".agentsmithy",
  "__pycache__",
  "node_modules",
  "venv",
]);

const MAX_DEPTH = 64;
/** Of one directory, so that its names can be sorted. */
const MAX_ENTRIES = 20_000;

export async function* walkDirectory(
  directory: OpenDirectory,
  options: WalkOptions,
  prefix = "",
  depth = 0,
): AsyncGenerator<WalkedEntry, void> {
  for (const { name, kind } of await entriesOf(directory)) {
    if (!options.withHidden && name.startsWith(".")) continue;
    const path = join(prefix, name);
    yield { directory, name, path, kind };
    if (kind !== "directory" || !options.isRecursive || SKIPPED_DIRECTORIES.has(name) || depth >= MAX_DEPTH)
      continue;
    // What is gone, closed to us or has become a link is passed over.
    const inner = await directory.open(name).catch(() => undefined);
    if (!inner) continue;
    await using below = inner;
    yield* walkDirectory(below, options, path, depth + 1);
  }
}

async function entriesOf(directory: OpenDirectory): Promise<Pick<WalkedEntry, "name" | "kind">[]> {
  const entries: Pick<WalkedEntry, "name" | "kind">[] = [];
  for await (const entry of await opendir(directory.at("."), { bufferSize: 256 })) {
    const kind = entry.isFile()
      ? "file"
      : entry.isDirectory()
        ? "directory"
        : entry.isSymbolicLink()
          ? "link"
          : "other";
    entries.push({ name: entry.name, kind });
    if (entries.length === MAX_ENTRIES) break;
  }
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1));
}
