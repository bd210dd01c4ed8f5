/** Which of many things a few typed words mean. */

export interface Named {
  name: string;
  /** Found by these too. */
  words?: string;
}

/**
 * Those in which every word occurs, the best first: the name begins with the query, then a word of the name does, then
 * the rest. Among equals the given order stays.
 *
 * @example matchWords([{ name: "New session" }, { name: "Usage" }], "ses", 10) // [{ name: "New session" }]
 */
export function matchWords<Item extends Named>(items: readonly Item[], query: string, limit: number): Item[] {
  const asked = query.trim().toLowerCase();
  if (asked === "") return items.slice(0, limit);
  const words = asked.split(/\s+/);
  const ranks: Item[][] = [[], [], [], []];
  for (const item of items) {
    const name = item.name.toLowerCase();
    const text = `${name} ${item.words?.toLowerCase() ?? ""}`;
    if (!words.every((word) => text.includes(word))) continue;
    const beginsWord = words.every((word) => name.startsWith(word) || name.includes(` ${word}`));
    ranks[name.startsWith(asked) ? 0 : beginsWord ? 1 : name.includes(asked) ? 2 : 3]!.push(item);
  }
  return ranks.flat().slice(0, limit);
}

/** Whether a text has every word, in any order and case. */
export function hasWords(text: string, words: string): boolean {
  const lower = text.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => lower.includes(word));
}
