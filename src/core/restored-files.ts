/** What an agent is told of files that went back without its doing. Pure. */

/** Files that went back since the agent last heard of it. */
export interface RestoredFiles {
  /** The first of them. */
  readonly paths: readonly string[];
  /** How many there are besides. */
  readonly more: number;
}

const MAX_NAMED = 50;

export function addRestored(
  known: RestoredFiles | undefined,
  paths: readonly string[],
): RestoredFiles | undefined {
  const all = [...new Set([...(known?.paths ?? []), ...paths])];
  if (all.length === 0) return known;
  const named = all.slice(0, MAX_NAMED);
  return { paths: named, more: (known?.more ?? 0) + all.length - named.length };
}

/** What the agent knows again. */
export function removeRestored(
  known: RestoredFiles | undefined,
  paths: readonly string[],
): RestoredFiles | undefined {
  const left = known?.paths.filter((path) => !paths.includes(path)) ?? [];
  return known && (left.length > 0 || known.more > 0) ? { ...known, paths: left } : undefined;
}

const BEGINNING = "[Note: these files were taken back to an earlier version since your last turn.";
const END = "[End of the note.]";

export function restoredFilesNote({ paths, more }: RestoredFiles): string {
  const names = paths.map((path) => `- ${/[\p{Cc}]/u.test(path) ? JSON.stringify(path) : path}`);
  const rest = more > 0 ? [`- and ${more} more`] : [];
  const advice =
    "What you know of them may be out of date: read them again before you rely on it, and do not redo it unasked.]";
  return [`${BEGINNING} ${advice}`, ...names, ...rest, END].join("\n");
}

/** What was said with the note before it. */
export function withoutNote(text: string): string {
  if (!text.startsWith(BEGINNING)) return text;
  const end = text.indexOf(`\n${END}`);
  return end < 0 ? text : text.slice(end + END.length + 1).trimStart();
}
