/** The name of a file that is being typed after an `@`, and what the text becomes when one is picked. */

export interface Mention {
  /** Where its `@` stands. */
  start: number;
  /** Where the caret is: what was typed of it ends there. */
  end: number;
  typed: string;
}

/** Nobody types a longer part of a path by hand. */
const MAX_TYPED = 200;

/** None where the caret is not behind a word that begins with `@`. An address of mail is none. */
export function mentionAt(text: string, caret: number): Mention | undefined {
  const before = text.slice(Math.max(0, caret - MAX_TYPED), caret);
  const found = /(?:^|[\s([{"'])@([^\s@]*)$/.exec(before);
  const typed = found?.[1];
  if (typed === undefined) return undefined;
  return { start: caret - typed.length - 1, end: caret, typed };
}

/** A directory stays open for more of the path; a file is complete. */
export function withMention(
  text: string,
  { start, end }: Mention,
  file: { path: string; isDirectory?: boolean },
): { text: string; caret: number } {
  const path = file.isDirectory && !file.path.endsWith("/") ? `${file.path}/` : file.path;
  // A path with blanks would end at the first one.
  const name = /\s/.test(path) ? `"${path}"` : path;
  const rest = text.slice(end);
  const gap = file.isDirectory || /^\s/.test(rest) ? "" : " ";
  const mention = `@${name}${gap}`;
  return { text: `${text.slice(0, start)}${mention}${rest}`, caret: start + mention.length };
}
