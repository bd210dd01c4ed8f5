/** Divides a log into blocks. */
import { type BlockLines, type Span, splitLines } from "./block.ts";

/** A tail with this many events or this much text is packed. */
export const BLOCK_EVENTS = 1000;
export const BLOCK_BYTES = 256 * 1024;

/**
 * Only a single larger entry makes a larger block. Twice the size of a tail, which is always a little longer than
 * needed: the excess would become a small block that has to be packed again.
 */
const MAX_EVENTS = 2 * BLOCK_EVENTS;
const MAX_BYTES = 2 * BLOCK_BYTES;

/** Part of a log, such as one row of the tail. */
export interface LogPart extends Span {
  events: string;
  raws: string;
}

/** A block before it is packed. Each text is one line or several. */
export interface OpenBlock extends Span, BlockLines {
  bytes: number;
}

/** The parts are consecutive, and so are the blocks. Takes no more parts than the next block needs. */
export function* cutBlocks(parts: Iterable<LogPart>): Generator<OpenBlock> {
  let block: OpenBlock | undefined;
  for (const part of parts) {
    for (const piece of isTooLarge(part) ? splitPart(part) : [part]) {
      if (block && !fits(block, piece)) {
        yield block;
        block = undefined;
      }
      block ??= openBlock(piece);
      addToBlock(block, piece);
    }
  }
  if (block) yield block;
}

function openBlock({ first, raw_first, format }: LogPart): OpenBlock {
  return {
    first,
    last: first - 1,
    raw_first,
    raw_last: raw_first - 1,
    format,
    events: [],
    raws: [],
    bytes: 0,
  };
}

function addToBlock(block: OpenBlock, part: LogPart): void {
  if (part.last >= part.first) block.events.push(part.events);
  if (part.raw_last >= part.raw_first) block.raws.push(part.raws);
  block.last = part.last;
  block.raw_last = part.raw_last;
  block.bytes += sizeOf(part);
}

function fits(block: OpenBlock, part: LogPart): boolean {
  const small = part.last - block.first < MAX_EVENTS && block.bytes + sizeOf(part) <= MAX_BYTES;
  return small && part.format === block.format;
}

function isTooLarge(part: LogPart): boolean {
  return part.last - part.first >= MAX_EVENTS || sizeOf(part) > MAX_BYTES;
}

function sizeOf(part: LogPart): number {
  return part.events.length + part.raws.length;
}

/** Interleaves events and raw records evenly, so that a cut leaves each event near its record. */
function* splitPart(part: LogPart): Generator<LogPart> {
  const events = splitLines(part.events);
  const raws = splitLines(part.raws);
  const pieces = Math.max(events.length, raws.length);
  let event = 0;
  let raw = 0;
  for (let piece = 1; piece <= pieces; piece += 1) {
    const eventEnd = Math.floor((piece * events.length) / pieces);
    const rawEnd = Math.floor((piece * raws.length) / pieces);
    yield {
      first: part.first + event,
      last: part.first + eventEnd - 1,
      raw_first: part.raw_first + raw,
      raw_last: part.raw_first + rawEnd - 1,
      format: part.format,
      events: events.slice(event, eventEnd).join("\n"),
      raws: raws.slice(raw, rawEnd).join("\n"),
    };
    event = eventEnd;
    raw = rawEnd;
  }
}
