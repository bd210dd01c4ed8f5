/**
 * Content as it is written → `stream_event`. `metadata.event` has the form of the stream events of Claude, which consumers
 * know; `content` has what is new as a block, for those that read blocks. Pure.
 */
import type { EventOf } from "../../core/event.ts";
import { imageBlock, inputOf } from "./content-blocks.ts";
import { type Said, said } from "./said.ts";

type PartEvent = EventOf<`${"text" | "reasoning"}.${"start" | "delta" | "end"}`>;

export function partMessage(event: PartEvent): Said {
  const { part } = event;
  /** The place of the block: ids of parts have the seq of their first event. */
  const index = Number(part.slice(1));
  switch (event.type) {
    case "text.start":
      return started(part, index, { type: "text", text: "" }, { purpose: event.purpose });
    case "reasoning.start":
      return started(part, index, { type: "thinking", thinking: "" });
    case "text.delta":
      return said(
        "stream_event",
        {
          part_id: part,
          event: { type: "content_block_delta", index, delta: { type: "text_delta", text: event.delta } },
        },
        [{ type: "text", text: event.delta }],
      );
    case "reasoning.delta":
      return said(
        "stream_event",
        {
          part_id: part,
          event: {
            type: "content_block_delta",
            index,
            delta: { type: "thinking_delta", thinking: event.delta },
          },
        },
        [{ type: "thinking", thinking: event.delta }],
      );
    case "text.end":
    case "reasoning.end":
      return said("stream_event", { part_id: part, event: { type: "content_block_stop", index } });
  }
}

function started(id: string, index: number, block: object, more: Record<string, unknown> = {}): Said {
  const event = { type: "content_block_start", index, content_block: block };
  return said("stream_event", { part_id: id, event, ...more });
}

type CallEvent = EventOf<"tool.start" | "tool.input.delta" | "tool.input">;

/** `name` is that of the call, where it is known. */
export function callMessage(event: CallEvent, name: string | undefined): Said {
  const { call } = event;
  const index = Number(call.slice(1));
  switch (event.type) {
    case "tool.start": {
      const { title, kind, locations } = event;
      const block = { type: "tool_use", id: call, name: event.name, input: {} };
      const metadata = { tool_use_id: call, tool_name: event.name, title, tool_kind: kind, locations };
      return said("stream_event", {
        event: { type: "content_block_start", index, content_block: block },
        ...metadata,
      });
    }
    case "tool.input.delta": {
      const delta = { type: "input_json_delta", partial_json: event.delta };
      return said("stream_event", {
        tool_use_id: call,
        event: { type: "content_block_delta", index, delta },
      });
    }
    case "tool.input":
      return said(
        "stream_event",
        { tool_use_id: call, tool_name: name, event: { type: "content_block_stop", index } },
        [{ type: "tool_use", id: call, name: name ?? "tool", input: inputOf(event.input) }],
      );
  }
}

export function attachmentMessage(event: EventOf<"file" | "source">): Said {
  if (event.type === "source") {
    const { id, url, title, mediaType, filename } = event;
    return said("stream_event", { kind: "source", source: { id, url, title, mediaType, filename } });
  }
  const { url, mediaType, filename } = event;
  const image = imageBlock(url);
  if (image) return said("stream_event", { kind: "file", file: { mediaType, filename } }, [image]);
  return said("stream_event", { kind: "file", file: { url, mediaType, filename } });
}
