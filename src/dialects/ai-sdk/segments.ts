/**
 * Splits the chunks of a message into segments, each `start` … `finish`. One response carries one segment; a replay
 * joins several.
 */
import type { UIMessageChunk } from "./chunk.ts";

export type Segment = readonly UIMessageChunk[];

/** The last segment is unfinished while its message streams. */
export function splitSegments(chunks: Iterable<UIMessageChunk>): Segment[] {
  const segments: UIMessageChunk[][] = [];
  for (const chunk of chunks) {
    if (chunk.type === "start") segments.push([]);
    segments.at(-1)?.push(chunk);
  }
  return segments;
}

/** The ask that a segment ends with. Undefined if it goes on or is the last of its message. */
export function askOf(segment: Segment): string | undefined {
  const end = segment.at(-1);
  if (end?.type !== "finish" || end.finishReason !== "tool-calls") return undefined;
  return segment.findLast((chunk) => chunk.type === "data-ask")?.id;
}

/**
 * The segments a client can be given now. It stops where it has to wait for a person: after an open ask, and after the
 * asks that follow it in the same step, which can be answered together.
 */
export function untilOpenAsk(segments: readonly Segment[], isOpen: (ask: string) => boolean): Segment[] {
  const given: Segment[] = [];
  let isWaiting = false;
  for (const segment of segments) {
    if (isWaiting && !sharesStep(segment)) break;
    given.push(segment);
    const ask = askOf(segment);
    isWaiting ||= ask !== undefined && isOpen(ask);
  }
  return given;
}

/** Whether a segment only adds an ask to the step that the one before it ended with. */
function sharesStep(segment: Segment): boolean {
  return askOf(segment) !== undefined && !segment.some((chunk) => chunk.type === "start-step");
}

/**
 * Several segments as one response.
 *
 * @example joinSegments(splitSegments(chunks)) // the whole message
 */
export function joinSegments(segments: readonly Segment[]): UIMessageChunk[] {
  const joined: UIMessageChunk[] = [];
  let isSeam = false;
  for (const segment of segments) {
    if (isSeam) joined.pop();
    for (const chunk of segment) if (chunk.type !== "start" || joined.length === 0) joined.push(chunk);
    isSeam = askOf(segment) !== undefined;
  }
  return joined;
}
