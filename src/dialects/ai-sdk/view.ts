/** One assistant message as frames of the UI message stream, for the server to send. */
import type { MessageFormat, MessageFrame, SessionFacts, View } from "../dialect.ts";
import type { UIMessageChunk } from "./chunk.ts";
import { createMessageEncoder } from "./outbound.ts";
import { DONE_FRAME, toSseFrame } from "./sse.ts";

export type ToolParts = "static" | "dynamic";

export function createView(toolParts: ToolParts = "static", session: SessionFacts = {}): View<MessageFrame> {
  const encoder = createMessageEncoder({ toolParts, session });
  /** The last ask that was shown: the next seam is for it. */
  let ask = "";
  return {
    add: (event) =>
      encoder.encode(event).map((chunk) => {
        if (chunk.type === "data-ask") ask = chunk.id;
        const mark = markOf(chunk);
        return { mark, text: toSseFrame(chunk), ...(mark === "seam" && { ask }) };
      }),
  };
}

/** The format of a response, by how its client wants tool calls. */
export function messageFormat(toolParts: ToolParts = "static"): MessageFormat {
  return {
    key: `ai-sdk ${toolParts}`,
    createView: (session) => createView(toolParts, session),
    done: DONE_FRAME,
    begin: (message) => toSseFrame({ type: "start", messageId: message }),
    pause: toSseFrame({ type: "finish", finishReason: "tool-calls" }),
  };
}

function markOf(chunk: UIMessageChunk): MessageFrame["mark"] {
  switch (chunk.type) {
    case "start":
      return "start";
    case "start-step":
      return "step";
    case "finish":
      return chunk.finishReason === "tool-calls" ? "seam" : "end";
    default:
      return "content";
  }
}
