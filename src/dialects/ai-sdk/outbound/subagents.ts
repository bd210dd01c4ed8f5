/**
 * What sub-agents and background work say and do. It never appears at the top level: each part is collected until it
 * ends and then written as one `data-subagent`, numbered under the call that started it.
 */
import type { EventOf, SessionEvent } from "../../../core/event.ts";
import type { TextPart, ToolPart, UIMessagePart } from "../ui-message.ts";
import { filePart, sourcePart } from "./attachments.ts";
import type { SegmentWriter } from "./segment-writer.ts";
import { type TextEvent, textMetadata } from "./text-parts.ts";
import { inputSoFar, startCall, type ToolCall, toolMetadata, updateCall } from "./tool-call.ts";
import type { ToolEvent, ToolResultEvent } from "./tool-calls.ts";
import { toolResultData } from "./tool-result-data.ts";

type Content = TextEvent | ToolEvent | EventOf<"file" | "source">;
export type SubagentEvent = Content & ({ parent: string } | { task: string });

const CONTENT: ReadonlySet<string> = new Set<Content["type"]>([
  "text.start",
  "text.delta",
  "text.end",
  "reasoning.start",
  "reasoning.delta",
  "reasoning.end",
  "tool.start",
  "tool.updated",
  "tool.input.delta",
  "tool.input",
  "tool.output",
  "tool.failed",
  "tool.denied",
  "tool.abandoned",
  "file",
  "source",
]);

export function isSubagentEvent(event: SessionEvent): event is SubagentEvent {
  if (!CONTENT.has(event.type)) return false;
  const { parent, task } = event as Content;
  return parent !== undefined || task !== undefined;
}

export class Subagents {
  readonly #writer: SegmentWriter;
  readonly #toolParts: "static" | "dynamic";
  readonly #texts = new Map<string, TextPart>();
  readonly #calls = new Map<string, ToolCall>();
  /** How many parts each sub-agent has had. */
  readonly #counts = new Map<string, number>();

  constructor(writer: SegmentWriter, toolParts: "static" | "dynamic") {
    this.#writer = writer;
    this.#toolParts = toolParts;
  }

  get(call: string): ToolCall | undefined {
    return this.#calls.get(call);
  }

  add(event: Content): void {
    switch (event.type) {
      case "text.start":
      case "reasoning.start": {
        const type = event.type === "text.start" ? "text" : "reasoning";
        this.#texts.set(event.part, { type, text: "", state: "done", providerMetadata: textMetadata(event) });
        return;
      }
      case "text.delta":
      case "reasoning.delta": {
        const text = this.#texts.get(event.part);
        if (text) text.text += event.delta;
        return;
      }
      case "text.end":
      case "reasoning.end": {
        const text = this.#texts.get(event.part);
        this.#texts.delete(event.part);
        if (text) this.#write(event, text);
        return;
      }
      case "file":
        return this.#write(event, filePart(event));
      case "source":
        return this.#write(event, sourcePart(event));
      case "tool.start":
        this.#calls.set(event.call, startCall(event));
        return;
      default:
        return this.#continueCall(event);
    }
  }

  #continueCall(event: Exclude<ToolEvent, { type: "tool.start" }>): void {
    const call = this.#calls.get(event.call);
    if (!call) return;
    switch (event.type) {
      case "tool.updated":
      case "tool.input":
      case "tool.input.delta":
        return updateCall(call, event);
      case "tool.output.delta":
        return;
      default:
        if (event.type === "tool.output" && event.preliminary) return;
        this.#calls.delete(event.call);
        this.#write(event, this.#toolPart(call, event));
        if (event.type === "tool.abandoned") this.#tellUnfinished(event);
    }
  }

  #tellUnfinished(event: EventOf<"tool.abandoned">): void {
    const data = toolResultData(event, "");
    if (data) this.#writer.write({ type: "data-tool-result", id: event.call, data });
  }

  #toolPart(call: ToolCall, event: ToolResultEvent): ToolPart {
    return {
      ...(this.#toolParts === "dynamic"
        ? { type: "dynamic-tool", toolName: call.name }
        : { type: `tool-${call.name}` }),
      toolCallId: call.id,
      title: call.title,
      providerExecuted: true,
      input: inputSoFar(call),
      callProviderMetadata: toolMetadata(call),
      ...resultOf(event),
    };
  }

  #write({ parent, task }: Content, part: UIMessagePart): void {
    const origin = parent ?? task ?? "";
    const count = (this.#counts.get(origin) ?? 0) + 1;
    this.#counts.set(origin, count);
    this.#writer.write({
      type: "data-subagent",
      id: `${origin}:${count}`,
      data: { parent, task, part },
    });
  }
}

function resultOf(event: ToolResultEvent): Pick<ToolPart, "state" | "output" | "errorText"> {
  switch (event.type) {
    case "tool.output":
      return { state: "output-available", output: event.output ?? null };
    case "tool.failed":
      return { state: "output-error", errorText: event.error };
    case "tool.denied":
      return { state: "output-error", errorText: event.reason ?? "The call was denied." };
    case "tool.abandoned":
      return { state: "output-error", errorText: event.reason };
  }
}
