/**
 * Sealed blocks: a span of events and the raw records beside them, as lines packed together. The two repeat each
 * other, so together they take little more than the raw records alone.
 */
import { EVENT_FORMAT } from "../../core/event.ts";
import { type Packed, pack } from "../codec.ts";
import { DamagedDataError } from "../damaged-data.ts";
import { upcastEvent } from "../upcast.ts";
import { type StoredContent, unpackOldContent } from "./packed-content.ts";

/** The range of events and raw records, and their format. An empty range has `last = first - 1`. */
export interface Span {
  first: number;
  last: number;
  raw_first: number;
  raw_last: number;
  format: number;
}

export interface BlockLines {
  events: string[];
  raws: string[];
}

/** What is packed. An entry of `lines` may be several lines. */
export function blockText(lines: BlockLines): string {
  return [...lines.events, ...lines.raws].join("\n");
}

export function packLines(lines: BlockLines): Promise<Packed> {
  return pack(blockText(lines));
}

/** The identity of a block, for its checksum. */
export function placeOfBlock(session: number, span: Span): number[] {
  return [session, span.first, span.last, span.raw_first, span.raw_last, span.format];
}

/** The lines as they were stored. Throws when they are not what was stored. */
export async function unpackLines(session: number, span: Span, stored: StoredContent): Promise<BlockLines> {
  const what = `the block of events ${span.first} to ${span.last}`;
  const raws = splitLines(await unpackOldContent(stored, what, placeOfBlock(session, span)));
  const events = raws.splice(0, span.last - span.first + 1);
  if (events.length !== span.last - span.first + 1 || raws.length !== span.raw_last - span.raw_first + 1)
    throw new DamagedDataError(`${what} has ${events.length} events and ${raws.length} raw records`);
  return { events, raws };
}

/** The lines with the events in today's format. */
export async function unpackBlock(session: number, span: Span, stored: StoredContent): Promise<BlockLines> {
  const { events, raws } = await unpackLines(session, span, stored);
  return { events: upcastLines(events, span.format), raws };
}

export function upcastLines(events: string[], format: number): string[] {
  return format === EVENT_FORMAT ? events : events.map((line) => upcastEvent(line, format));
}

export function splitLines(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}
