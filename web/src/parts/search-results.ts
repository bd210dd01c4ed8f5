/** What a search found, as places with their lines. Pure. */

export interface FoundPlace {
  path: string;
  /** The lines found in it; none where only names were looked for. */
  lines: { number?: number; text: string }[];
}

/** As `grep -n` and `rg` put it out: a path, perhaps a number, perhaps the line. */
const FOUND = /^((?:[A-Za-z]:)?[^\s:][^:\n]{0,400}?)(?::(\d{1,9})(?:[:-](.*))?)?$/;
const PATH = /^[^\s].{0,400}$/;
/** More lines are shown as text. */
const MAX_LINES = 2_000;

/** Undefined where it does not look like places. */
export function searchResults(output: string): FoundPlace[] | undefined {
  const lines = output.split("\n", MAX_LINES + 1).filter((line) => line.trim() !== "");
  if (lines.length === 0 || lines.length > MAX_LINES) return undefined;
  const places = new Map<string, FoundPlace>();
  for (const line of lines) {
    const [, path, number, text] = FOUND.exec(line) ?? [];
    if (path === undefined || !PATH.test(path) || !/[./]/.test(path) || /\s{2}|[{}()<>"']/.test(path))
      return undefined;
    const place = places.get(path) ?? { path, lines: [] };
    places.set(path, place);
    if (number !== undefined) place.lines.push({ number: Number(number), text: text ?? "" });
  }
  return [...places.values()];
}

export function countFound(places: readonly FoundPlace[]): string {
  const lines = places.reduce((sum, place) => sum + place.lines.length, 0);
  const files = places.length === 1 ? "1 file" : `${places.length} files`;
  if (lines === 0) return files;
  return `${lines === 1 ? "1 match" : `${lines} matches`} in ${files}`;
}
