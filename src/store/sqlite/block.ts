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

/** A piece of the tail, as lines. */
export interface TailPart extends Span {
  events: string;
  raws: string;
}

export interface BlockLines {
  /** Today's format, whatever was stored. */
  events: string[];
  raws: string[];
}

/** A block being filled. Each text is one line or several. */
export interface OpenBlock extends Span {
  events: string[];
  raws: string[];
  bytes: number;
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

/** Puts rows of the tail into blocks. The rows follow each other without gaps. */
export function cutBlocks(rows: Iterable<TailPart>): OpenBlock[] {
  const blocks: OpenBlock[] = [];
  for (const row of rows) {
    for (const part of splitRow(row)) {
      let block = blocks.at(-1);
      if (!block || !fits(block, part)) {
        block = {
          ...part,
          last: part.first - 1,
          raw_last: part.raw_first - 1,
          events: [],
          raws: [],
          bytes: 0,
        };
        blocks.push(block);
      }
      if (part.last >= part.first) block.events.push(part.events);
      if (part.raw_last >= part.raw_first) block.raws.push(part.raws);
      block.last = part.last;
      block.raw_last = part.raw_last;
      block.bytes += sizeOf(part);
    }
  }
  return blocks;
}

function fits(block: OpenBlock, part: TailPart): boolean {
  const small = part.last - block.first < BLOCK_EVENTS && block.bytes + sizeOf(part) <= BLOCK_BYTES;
  return small && part.format === block.format;
}

function sizeOf(part: TailPart): number {
  return part.events.length + part.raws.length;
}

/** A row is one part unless it is too large for a block; then each event is one, with the raw records beside it. */
function* splitRow(row: TailPart): Generator<TailPart> {
  const count = row.last - row.first + 1;
  if (count <= BLOCK_EVENTS && sizeOf(row) <= BLOCK_BYTES) {
    yield row;
    return;
  }
  const events = splitLines(row.events);
  const raws = splitLines(row.raws);
  const parts = Math.max(events.length, raws.length);
  const format = row.format;
  let first = row.first;
  let raw_first = row.raw_first;
  for (let part = 1; part <= parts; part += 1) {
    // Spread evenly, so that a cut leaves each event near the record it came from.
    const last = row.first - 1 + Math.floor((part * events.length) / parts);
    const raw_last = row.raw_first - 1 + Math.floor((part * raws.length) / parts);
    yield {
      first,
      last,
      raw_first,
      raw_last,
      format,
      events: events.slice(first - row.first, last - row.first + 1).join("\n"),
      raws: raws.slice(raw_first - row.raw_first, raw_last - row.raw_first + 1).join("\n"),
    };
    first = last + 1;
    raw_first = raw_last + 1;
  }
}
