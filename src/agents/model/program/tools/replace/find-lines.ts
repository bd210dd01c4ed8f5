/** Finds a run of lines in others, in linear time whatever they are. */

/** Where it begins, counted from 0: the first `max` places, which may overlap. */
export function findLines(lines: readonly string[], wanted: readonly string[], max: number): number[] {
  const fallback = fallbackTable(wanted);
  const found: number[] = [];
  let matched = 0;
  for (const [index, line] of lines.entries()) {
    while (matched > 0 && wanted[matched] !== line) matched = fallback[matched - 1]!;
    if (wanted[matched] === line) matched += 1;
    if (matched < wanted.length) continue;
    found.push(index - wanted.length + 1);
    if (found.length === max) break;
    matched = fallback[matched - 1]!;
  }
  return found;
}

/** For each length of a match that fails, the longest one that may still hold (Knuth, Morris and Pratt). */
function fallbackTable(wanted: readonly string[]): number[] {
  const table = [0];
  let length = 0;
  for (let index = 1; index < wanted.length; index += 1) {
    while (length > 0 && wanted[index] !== wanted[length]) length = table[length - 1]!;
    if (wanted[index] === wanted[length]) length += 1;
    table[index] = length;
  }
  return table;
}

/** Where most of the wanted lines stand as they should, blanks aside: for a hint. Undefined where none does. */
export function closestLines(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const places = new Map<string, number[]>();
  for (const [index, line] of lines.entries()) {
    const known = places.get(line.trim());
    if (!known) places.set(line.trim(), [index]);
    else if (known.length < 20) known.push(index);
  }
  const votes = new Map<number, number>();
  for (const [index, line] of wanted.entries()) {
    if (line.trim() === "") continue;
    for (const place of places.get(line.trim()) ?? [])
      votes.set(place - index, (votes.get(place - index) ?? 0) + 1);
  }
  let best: [place: number, votes: number] | undefined;
  for (const vote of votes) if (!best || vote[1] > best[1]) best = vote;
  return best && Math.max(0, best[0]);
}
