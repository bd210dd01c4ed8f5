/**
 * The chunks of a message as a list of segments, each `start` … `finish`. One response carries one segment; a replay
 * carries several as if there had been no seam between them.
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

/** The ask that a segment ends with; undefined when it goes on or is the last of its message. */
export function askOf(segment: Segment): string | undefined {
  const end = segment.at(-1);
  if (end?.type !== "finish" || end.finishReason !== "tool-calls") return undefined;
  return segment.findLast((chunk) => chunk.type === "data-ask")?.id;
}

/**
 * One response of several segments. It ends where a client has to wait for a person: after an open ask, and after
 * the asks that follow it in the same step, which can be answered with it.
 *
 * @example joinSegments(splitSegments(chunks)) // the whole message
 */
export function joinSegments(
  segments: readonly Segment[],
  isOpen: (ask: string) => boolean = () => false,
): UIMessageChunk[] {
  const joined: UIMessageChunk[] = [];
  let ask: string | undefined;
  let isWaiting = false;
  for (const segment of segments) {
    if (isWaiting && !sharesStep(segment)) break;
    if (ask !== undefined) joined.pop();
    for (const chunk of segment) if (chunk.type !== "start" || joined.length === 0) joined.push(chunk);
    ask = askOf(segment);
    isWaiting ||= ask !== undefined && isOpen(ask);
  }
  return joined;
}

/** Whether a segment only adds an ask to the step that the one before it ended with. */
function sharesStep(segment: Segment): boolean {
  return askOf(segment) !== undefined && !segment.some((chunk) => chunk.type === "start-step");
}
