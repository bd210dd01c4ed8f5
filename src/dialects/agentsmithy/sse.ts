/** Frames of AgentSmithy's stream: `data:` lines only. Its clients know neither ids nor names of events, nor comments. */
import type { SmithyEvent } from "./event.ts";

export const EVENT_STREAM_HEADERS = {
  "content-type": "text/event-stream",
  "cache-control": "no-cache",
  connection: "keep-alive",
  "x-accel-buffering": "no",
} as const;

export function toSseFrame(event: SmithyEvent, dialog: string): string {
  return `data: ${JSON.stringify({ ...event, dialog_id: dialog })}\n\n`;
}
