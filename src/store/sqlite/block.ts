/**
 * Sealed blocks: a span of events and the raw records beside them, as lines packed together. The two repeat each
 * other, so together they take little more than the raw records alone.
 */

import { pack, unpack } from "../codec.ts";
import { upcastEvent } from "../upcast.ts";

/** A block is closed at so many events or so much text; only a single larger entry makes a larger block. */
export const BLOCK_EVENTS = 1000;
export const BLOCK_BYTES = 256 * 1024;

/** Which events and raw records; an empty span has `last = first - 1`. */
export interface Span {
  first: number;
  last: number;
  raw_first: number;
  raw_last: number;
  format: number;
}

export interface TailRow extends Span {
  id: number;
  events: string;
  raws: string;
}

export interface BlockLines {
  /** Today's format, whatever was stored. */
  events: string[];
  raws: string[];
}

export interface OpenBlock extends Span {
  events: string[];
  raws: string[];
}

export function packBlock(block: OpenBlock): Promise<Uint8Array> {
  return pack([...block.events, ...block.raws].join("\n"));
}

export async function unpackBlock(span: Span, data: Uint8Array, codec: number): Promise<BlockLines> {
  const lines = (await unpack(data, codec)).split("\n");
  const events = lines.splice(0, span.last - span.first + 1);
  return { events: readEventLines(events, span.format), raws: span.raw_last < span.raw_first ? [] : lines };
}

export function readEventLines(lines: string[], format: number): string[] {
  return lines.map((line) => upcastEvent(line, format));
}

export function splitLines(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}

/** Cuts rows of the tail into blocks. Rows are in order and follow each other without gaps. */
export function cutBlocks(rows: Iterable<TailRow>): OpenBlock[] {
  const blocks: OpenBlock[] = [];
  let block: OpenBlock | undefined;
  let bytes = 0;
  for (const row of rows) {
    for (const entry of entriesOf(row)) {
      const full = block && (block.events.length >= BLOCK_EVENTS || bytes + entry.line.length > BLOCK_BYTES);
      if (!block || (full && bytes > 0) || block.format !== row.format) {
        block = openBlock(block, row);
        blocks.push(block);
        bytes = 0;
      }
      bytes += entry.line.length;
      if (entry.event) {
        block.events.push(entry.line);
        block.last += 1;
      } else {
        block.raws.push(entry.line);
        block.raw_last += 1;
      }
    }
  }
  return blocks;
}

function openBlock(former: OpenBlock | undefined, row: TailRow): OpenBlock {
  const first = former ? former.last + 1 : row.first;
  const rawFirst = former ? former.raw_last + 1 : row.raw_first;
  return {
    first,
    last: first - 1,
    raw_first: rawFirst,
    raw_last: rawFirst - 1,
    format: row.format,
    events: [],
    raws: [],
  };
}

/** The raw records of a row spread evenly among its events, so that a cut leaves each beside what came from it. */
function* entriesOf(row: TailRow): Generator<{ line: string; event: boolean }> {
  const events = splitLines(row.events);
  const raws = splitLines(row.raws);
  let given = 0;
  for (const [index, line] of events.entries()) {
    const due = Math.ceil(((index + 1) * raws.length) / events.length);
    for (; given < due; given += 1) yield { line: raws[given] as string, event: false };
    yield { line, event: true };
  }
  for (; given < raws.length; given += 1) yield { line: raws[given] as string, event: false };
}
