/** Puts SEARCH/REPLACE blocks into a text, one after the other: all of them or none. */
import { ToolFailure } from "../tool-failure.ts";
import { closestLines, findLines } from "./find-lines.ts";
import type { Block, Reading } from "./parse-blocks.ts";

interface Line {
  readonly text: string;
  /** Empty for a last line without one. */
  readonly end: "\n" | "\r\n" | "";
}

interface Fit extends Reading {
  readonly at: number;
}

const MAX_TOLD_PLACES = 5;

/** Lines match as they are; if they do not, white space at their ends is left aside. Throws `ToolFailure`. */
export function applyBlocks(path: string, text: string, blocks: readonly Block[]): string {
  let lines = splitLines(text);
  for (const block of blocks) lines = putInto(lines, fitOf(path, lines, block, blocks.length));
  return lines.map(({ text, end }) => text + end).join("");
}

function putInto(lines: readonly Line[], { at, search, replace }: Fit): Line[] {
  const replaced = lines.slice(at, at + search.length);
  const usual = replaced.find(({ end }) => end !== "")?.end ?? (lines[0]?.end || "\n");
  const last = replaced.length > 0 ? replaced.at(-1)!.end : usual;
  const put = replace.map((text, index) => ({ text, end: index === replace.length - 1 ? last : usual }));
  return [...lines.slice(0, at), ...put, ...lines.slice(at + search.length)];
}

function fitOf(path: string, lines: readonly Line[], block: Block, count: number): Fit {
  const name = count === 1 ? "The block" : `Block ${block.number} of ${count}`;
  const { readings } = block;
  const texts = lines.map(({ text }) => text);
  for (const form of [(line: string) => line, (line: string) => line.trimEnd()]) {
    const formed = texts.map(form);
    for (const reading of readings) {
      const places = placesOf(formed, reading, form);
      if (places.length === 1) return { ...reading, at: places[0]! };
      if (places.length > 1) throw ambiguous(name, places);
    }
  }
  throw notFound(name, path, texts, readings.at(-1)!);
}

function placesOf(formed: readonly string[], { search }: Reading, form: (line: string) => string): number[] {
  // Nothing to find: the place is clear in an empty file only.
  if (search.length === 0) return formed.length === 0 ? [0] : [];
  return findLines(formed, search.map(form), MAX_TOLD_PLACES + 1);
}

function ambiguous(name: string, places: readonly number[]): ToolFailure {
  const lines = places.slice(0, MAX_TOLD_PLACES).map((place) => place + 1);
  const told = lines.join(", ") + (places.length > MAX_TOLD_PLACES ? ", …" : "");
  return new ToolFailure(
    "ambiguous",
    `${name} fits at several places: lines ${told}. Nothing was changed. Give more lines to search for.`,
    { details: { lines } },
  );
}

function notFound(name: string, path: string, texts: readonly string[], { search }: Reading): ToolFailure {
  const file = JSON.stringify(path);
  if (search.length === 0)
    return new ToolFailure(
      "no_match",
      `${name} searches for nothing, and ${file} is not empty. Nothing was changed. Give the lines to replace.`,
    );
  const near = closestLines(texts, search);
  const hint =
    near === undefined
      ? "None of its lines is there."
      : `The closest place is line ${near + 1}: ${JSON.stringify((texts[near] ?? "").slice(0, 120))}.`;
  return new ToolFailure(
    "no_match",
    `${name} was not found in ${file}. ${hint} Nothing was changed. Read the file and give its lines exactly.`,
    {
      details: {
        first_line: search[0]!.slice(0, 120),
        ...(near !== undefined && { closest_line: near + 1 }),
      },
    },
  );
}

function splitLines(text: string): Line[] {
  if (text === "") return [];
  const parts = text.split("\n");
  const hasLastEnd = parts.at(-1) === "";
  if (hasLastEnd) parts.pop();
  return parts.map((part, index) => {
    if (index === parts.length - 1 && !hasLastEnd) return { text: part, end: "" };
    return part.endsWith("\r") ? { text: part.slice(0, -1), end: "\r\n" } : { text: part, end: "\n" };
  });
}
