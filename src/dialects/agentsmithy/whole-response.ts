/** The events of a response → the one answer that a client gets which does not want a stream. */
import { parseFrames } from "./sse.ts";

export interface WholeResponse {
  content: string;
  done: true;
  metadata: { dialog_id: string; checkpoint?: string; error?: string };
}

export function wholeResponse(frames: string, dialog: string): WholeResponse {
  const metadata: WholeResponse["metadata"] = { dialog_id: dialog };
  const segments: string[] = [];
  for (const event of parseFrames(frames)) {
    if (event.type === "user" && event.checkpoint !== undefined) metadata.checkpoint = event.checkpoint;
    if (event.type === "error") metadata.error = event.error;
    if (event.type === "chat_start") segments.push("");
    if (event.type === "chat") segments[segments.length - 1] += event.content;
  }
  return { content: segments.join("\n\n"), done: true, metadata };
}
