/**
 * Masks secrets of several lines in a diff. There each line begins with a mark, other lines may stand between two of a
 * secret, and a hunk may have only some of them: so each line is masked for itself, and the diff keeps its lines.
 */
import { finish, type Steps } from "../../core/steps.ts";
import type { Secret } from "./text-mask.ts";

/** Fewer characters than these, in lines that follow each other, are words rather than a part of a secret. */
const SHORTEST_PART = 6;

/** How many lines are looked at in one step: well below a millisecond for each secret. */
const STEP_LINES = 500;

interface SecretLines {
  /** Without the space around them: a file may have them indented. */
  readonly lines: readonly string[];
  /** Where in it a line stands. */
  readonly places: ReadonlyMap<string, readonly number[]>;
  readonly placeholder: string;
}

/** A line of a diff without its mark and without the space around it. */
interface Line {
  readonly text: string;
  /** Where the text begins. */
  readonly from: number;
}

/** What is masked of a line. */
interface Hidden {
  start: number;
  end: number;
  readonly placeholder: string;
}

export class DiffMask {
  readonly #secrets: readonly SecretLines[];

  constructor(secrets: readonly Secret[]) {
    this.#secrets = secrets.filter(({ value }) => value.trim().includes("\n")).map(linesOf);
  }

  /** Secrets of one line stay: they are found like in any text. */
  mask(diff: string): string {
    return finish(this.maskInSteps(diff));
  }

  /** The same for a long one. */
  *maskInSteps(diff: string): Steps<string> {
    if (this.#secrets.length === 0) return diff;
    const lines = diff.split("\n");
    const read: Line[] = [];
    for (const [at, line] of lines.entries()) {
      read.push(readLine(line));
      if (at % STEP_LINES === 0) yield;
    }
    const hidden = new Map<number, Hidden>();
    for (const other of ["+", "-"]) {
      const side = [...lines.keys()].filter((at) => !lines[at]!.startsWith(other) && lines[at]![0] !== "\\");
      for (const secret of this.#secrets) yield* hide(secret, read, side, hidden);
    }
    if (hidden.size === 0) return diff;
    for (const [at, { start, end, placeholder }] of hidden)
      lines[at] = lines[at]!.slice(0, start) + placeholder + lines[at]!.slice(end);
    return lines.join("\n");
  }
}

function linesOf({ value, placeholder }: Secret): SecretLines {
  const lines = value
    .trim()
    .split("\n")
    .map((line) => line.trim());
  const places = new Map<string, number[]>();
  for (const [place, line] of lines.entries()) {
    const known = places.get(line);
    if (known) known.push(place);
    else places.set(line, [place]);
  }
  return { lines, places, placeholder };
}

/** The head of a hunk may end with a line of the file. */
function readLine(line: string): Line {
  const mark = /^@@ [^@]* @@/.exec(line)?.[0].length ?? 1;
  const rest = line.slice(mark).trimStart();
  return { text: rest.trimEnd(), from: line.length - rest.length };
}

/** Hides the lines of one side of the diff that are lines of the secret, in its order. */
function* hide(
  secret: SecretLines,
  lines: readonly Line[],
  side: readonly number[],
  hidden: Map<number, Hidden>,
): Steps<void> {
  const find = (nth: number, place: number) => findLine(secret, place, lines[side[nth]!]);
  for (const [nth, at] of side.entries()) {
    if (nth % STEP_LINES === 0) yield;
    for (const place of placesOf(secret, lines[at]!)) {
      // It was looked at with the line before.
      if (nth > 0 && find(nth - 1, place - 1)) continue;
      const run: Hidden[] = [];
      for (let next = find(nth, place); next; next = find(nth + run.length, place + run.length))
        run.push(next);
      const length = run.reduce((sum, { start, end }) => sum + end - start, 0);
      if (length < SHORTEST_PART) continue;
      for (const [index, part] of run.entries())
        if (part.end > part.start) add(hidden, side[nth + index]!, part);
    }
  }
}

/** Which lines of the secret this one may be. */
function placesOf({ lines, places }: SecretLines, { text }: Line): Iterable<number> {
  const known = places.get(text) ?? [];
  const isEdge = text.endsWith(lines[0]!) || text.startsWith(lines.at(-1)!);
  // Nearly every line ends here.
  return isEdge ? new Set([0, ...known, lines.length - 1]) : known;
}

/** Before the first line of a secret, and after the last one, there may be something else. */
function findLine(
  { lines, placeholder }: SecretLines,
  place: number,
  line: Line | undefined,
): Hidden | undefined {
  const wanted = lines[place];
  if (wanted === undefined || !line) return undefined;
  const { text, from } = line;
  const isFirst = place === 0;
  const isLast = place === lines.length - 1;
  const isThere = isFirst ? text.endsWith(wanted) : isLast ? text.startsWith(wanted) : text === wanted;
  if (!isThere) return undefined;
  const start = from + (isFirst ? text.length - wanted.length : 0);
  return { start, end: start + wanted.length, placeholder };
}

function add(hidden: Map<number, Hidden>, line: number, part: Hidden): void {
  const known = hidden.get(line);
  if (!known) {
    hidden.set(line, part);
    return;
  }
  known.start = Math.min(known.start, part.start);
  known.end = Math.max(known.end, part.end);
}
