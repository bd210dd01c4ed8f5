/** The UI message stream as server-sent events: the same frames and headers as the AI SDK's own servers. */
import type { UIMessageChunk } from "./chunk.ts";

export const UI_MESSAGE_STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  connection: "keep-alive",
  "x-vercel-ai-ui-message-stream": "v1",
  "x-accel-buffering": "no",
} as const;

/** After the last chunk of a response. */
export const DONE_FRAME = "data: [DONE]\n\n";

/** A comment, which clients ignore. */
export const KEEP_ALIVE_FRAME = ": keep-alive\n\n";

export function toSseFrame(chunk: UIMessageChunk): string {
  return `data: ${JSON.stringify(chunk)}\n\n`;
}
