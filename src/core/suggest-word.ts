/** Finds the word somebody meant, by how many letters they are apart. */

/** Undefined where none is close enough to be meant. */
export function suggestWord(typed: string, known: readonly string[]): string | undefined {
  const mostApart = Math.max(1, Math.floor(typed.length / 3));
  const close = known
    .map((word) => ({ word, apart: lettersApart(typed, word) }))
    .filter(({ apart }) => apart <= mostApart)
    .sort((one, other) => one.apart - other.apart);
  return close[0]?.word;
}

/** Letters added, left out, changed, or swapped with the next one. */
function lettersApart(one: string, other: string): number {
  const rows = Array.from({ length: one.length + 1 }, (_, row) => [row]);
  for (let column = 1; column <= other.length; column++) rows[0]![column] = column;
  for (let row = 1; row <= one.length; row++) {
    for (let column = 1; column <= other.length; column++) {
      const isEqual = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1];
      rows[row]![column] = Math.min(
        rows[row - 1]![column]! + 1,
        rows[row]![column - 1]! + 1,
        rows[row - 1]![column - 1]! + (isEqual ? 0 : 1),
        isSwapped ? rows[row - 2]![column - 2]! + 1 : Number.POSITIVE_INFINITY,
      );
    }
  }
  return rows[one.length]![other.length]!;
}
