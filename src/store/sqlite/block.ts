/**
 * Sealed blocks: a span of events and the raw records beside them, as lines packed together. The two repeat each
 * other, so together they take little more than the raw records alone.
 */
import { EVENT_FORMAT } from "../../core/event.ts";
import { type Packed, pack, unpack } from "../codec.ts";
import { upcastEvent } from "../upcast.ts";

/** Which events and raw records, and their format; an empty span has `last = first - 1`. */
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

/** The lines as they were stored. */
export async function unpackLines(span: Span, data: Uint8Array, codec: number): Promise<BlockLines> {
  const raws = splitLines(await unpack(data, codec));
  const events = raws.splice(0, span.last - span.first + 1);
  return { events, raws };
}

/** The lines with the events in today's format. */
export async function unpackBlock(span: Span, data: Uint8Array, codec: number): Promise<BlockLines> {
  const { events, raws } = await unpackLines(span, data, codec);
  return { events: upcastLines(events, span.format), raws };
}

export function upcastLines(events: string[], format: number): string[] {
  return format === EVENT_FORMAT ? events : events.map((line) => upcastEvent(line, format));
}

export function splitLines(text: string): string[] {
  return text === "" ? [] : text.split("\n");
}
