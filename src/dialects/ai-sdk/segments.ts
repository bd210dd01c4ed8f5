/**
 * The chunks of a message as a list of segments, each `start` … `finish`. One response carries one segment; a replay
 * carries several as if there had been no seam between them.
 */
import type { UIMessageChunk } from "./chunk.ts";

/** Whether the segment ends here because a person is asked, and the message goes on in the next one. */
export function isSeam(chunk: UIMessageChunk): boolean {
  return chunk.type === "finish" && chunk.finishReason === "tool-calls";
}

/** The last segment is unfinished while its message streams. */
export function splitSegments(chunks: Iterable<UIMessageChunk>): UIMessageChunk[][] {
  const segments: UIMessageChunk[][] = [];
  for (const chunk of chunks) {
    if (chunk.type === "start") segments.push([]);
    segments.at(-1)?.push(chunk);
  }
  return segments;
}

/**
 * One response of several segments. Asks are put to a client one by one, so it ends where a person is still to
 * answer: there, `isOpen` says so of the ask.
 *
 * @example joinSegments(chunks) // the whole message
 */
export function* joinSegments(
  chunks: Iterable<UIMessageChunk>,
  isOpen: (ask: string) => boolean = () => false,
): Generator<UIMessageChunk> {
  let hasStarted = false;
  let ask: string | undefined;
  for (const chunk of chunks) {
    if (chunk.type === "data-ask" && chunk.data.state === "open") ask = chunk.id;
    if (isSeam(chunk)) {
      if (ask === undefined || !isOpen(ask)) continue;
      yield chunk;
      return;
    }
    if (chunk.type === "start") {
      if (hasStarted) continue;
      hasStarted = true;
    }
    yield chunk;
  }
}
