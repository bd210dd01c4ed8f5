/** The order of waiting prompts while one of them is being moved. Pure. */

/** The list with the entry at `from` at the place `to`. */
export function movedTo<Entry>(entries: readonly Entry[], from: number, to: number): Entry[] {
  const entry = entries[from];
  if (entry === undefined) return [...entries];
  return entries.toSpliced(from, 1).toSpliced(to, 0, entry);
}

/**
 * The place of a card that is held at this height, by the middles of all cards as they lay when it was taken. A card takes
 * the place of another when its own middle is past the other's.
 */
export function placeAt(middles: readonly number[], from: number, y: number): number {
  const others = middles.filter((_, index) => index !== from);
  return others.filter((middle) => middle < y).length;
}

/** Whether a list has the same entries as another one in another order: perhaps as it was before one of them was moved. */
export function isOtherOrder(ids: readonly string[], wanted: readonly string[]): boolean {
  const isSame = ids.every((id, index) => id === wanted[index]);
  return ids.length === wanted.length && !isSame && ids.every((id) => wanted.includes(id));
}

/** The prompt that comes after a place, which is what the daemon wants to know; null at the end. */
export function neighbourAt(messages: readonly string[], from: number, to: number): string | null {
  return movedTo(messages, from, to)[to + 1] ?? null;
}
