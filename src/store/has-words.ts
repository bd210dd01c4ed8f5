/** Whether a text has the words of a search, equally for every store. */

/** The last word is also found as the beginning of a longer one, unless it is a single letter. */
export function hasWords(words: ReadonlySet<string>, wanted: readonly string[]): boolean {
  const last = wanted.at(-1)!;
  const isBeginning = (word: string) => last.length > 1 && word.startsWith(last);
  return (
    wanted.slice(0, -1).every((word) => words.has(word)) && (words.has(last) || [...words].some(isBeginning))
  );
}
