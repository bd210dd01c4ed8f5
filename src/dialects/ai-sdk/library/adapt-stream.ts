/** Events as they come → the body of one response of a chat endpoint. */
import type { SessionEvent } from "../../../core/event.ts";
import type { UIMessageChunk } from "../chunk.ts";
import { createMessageEncoder, type MessageEncoderOptions } from "../outbound.ts";
import { DONE_FRAME, toSseFrame } from "../sse.ts";
import { toByteStream } from "./to-byte-stream.ts";

export interface AdaptStreamOptions extends MessageEncoderOptions {
  /**
   * What to do at an ask. `end` (default) ends the response, since a stock client sends its answer only then; `join`
   * goes on, for a log in which every ask is answered.
   */
  asks?: "end" | "join";
  /** How many segments of the message the client has. After an answer to an ask the next segment follows. */
  segments?: number;
}

/**
 * The first assistant message of these events as server-sent events with `[DONE]` at the end. Reads no further than
 * that message, and closes the events when the reader leaves.
 *
 * @example
 * return new Response(adaptStream(events), { headers: UI_MESSAGE_STREAM_HEADERS });
 */
export function adaptStream(
  events: AsyncIterable<SessionEvent> | Iterable<SessionEvent>,
  options: AdaptStreamOptions = {},
): ReadableStream<Uint8Array> {
  return toByteStream(responseFrames(events, options));
}

/** One piece of text per event that adds something. */
async function* responseFrames(
  events: AsyncIterable<SessionEvent> | Iterable<SessionEvent>,
  { asks = "end", segments = 0, ...options }: AdaptStreamOptions,
): AsyncGenerator<string, undefined> {
  const message = createMessageEncoder(options);
  let ended = 0;
  let hasStarted = false;
  for await (const event of events) {
    let text = "";
    let isDone = false;
    for (const chunk of message.encode(event)) {
      const isSeam = chunk.type === "finish" && chunk.finishReason === "tool-calls";
      const isGiven = ended >= segments;
      if (isSeam) ended += 1;
      if (!isGiven || isInner(chunk, hasStarted) || (isSeam && asks === "join")) continue;
      hasStarted = true;
      text += toSseFrame(chunk);
      isDone = chunk.type === "finish";
      if (isDone) break;
    }
    if (text !== "") yield text;
    if (isDone) break;
  }
  yield DONE_FRAME;
}

/** After a seam the message goes on: only the first `start` is sent. */
function isInner(chunk: UIMessageChunk, hasStarted: boolean): boolean {
  return chunk.type === "start" && hasStarted;
}
