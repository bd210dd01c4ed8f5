/** One assistant message as frames of the UI message stream, for the server to send. */
import type { MessageFormat, MessageFrame, SessionFacts, View } from "../dialect.ts";
import type { UIMessageChunk } from "./chunk.ts";
import { RawMetadata } from "./outbound/raw-metadata.ts";
import { createMessageEncoder } from "./outbound.ts";
import { DONE_FRAME, toSseFrame } from "./sse.ts";

export type ToolParts = "static" | "dynamic";

export function createView(
  toolParts: ToolParts = "static",
  session: SessionFacts = {},
  raws?: RawMetadata,
): View<MessageFrame> {
  const encoder = createMessageEncoder({ toolParts, session });
  /** The last ask that was shown: the next seam is for it. */
  let ask = "";
  return {
    add: (event) => {
      const plain = raws ? raws.enter(event) : event;
      return encoder.encode(plain).map((chunk) => {
        if (chunk.type === "data-ask") ask = chunk.id;
        const mark = markOf(chunk);
        const text = toSseFrame(raws ? raws.add(chunk) : chunk);
        return { mark, text, ...(mark === "seam" && { ask }) };
      });
    },
  };
}

/** The format of a response, by how its client wants tool calls, and whether with what the agent really said. */
export function messageFormat(toolParts: ToolParts = "static", include?: "raw"): MessageFormat {
  return {
    key: include ? `ai-sdk ${toolParts} ${include}` : `ai-sdk ${toolParts}`,
    createView: (session) => createView(toolParts, session, include && new RawMetadata(session)),
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
