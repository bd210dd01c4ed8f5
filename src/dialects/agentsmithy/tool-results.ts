/** The results of the tools that a message has called. */
import type { EventOf, SessionEvent } from "../../core/event.ts";
import type { MessageRecord } from "../../core/message-record.ts";

export interface ToolResult {
  call: string;
  name: string;
  args: unknown;
  result: unknown;
  at: number;
  error?: string;
}

type ResultEvent = EventOf<"tool.output" | "tool.failed" | "tool.denied" | "tool.abandoned" | "tool.amended">;

/** In the order in which they came. One that changed later is given as it is now. */
export function toolResults({ events = [] }: MessageRecord): ToolResult[] {
  const results = new Map<string, ToolResult>();
  const calls = new Map<string, { name: string; args: unknown }>();
  for (const event of events) {
    if (event.type === "tool.start") calls.set(event.call, { name: event.name, args: {} });
    if (event.type === "tool.updated" && event.name !== undefined) {
      const call = calls.get(event.call);
      if (call) call.name = event.name;
    }
    if (event.type === "tool.input") {
      const call = calls.get(event.call);
      if (call) call.args = event.input;
    }
    if (!isResult(event)) continue;
    const call = calls.get(event.call);
    if (call)
      results.set(event.call, { call: event.call, at: event.at, ...call, ...resultOf(event, call.name) });
  }
  return [...results.values()];
}

function isResult(event: SessionEvent): event is ResultEvent {
  if (event.type === "tool.output") return !event.preliminary;
  return ["tool.failed", "tool.denied", "tool.abandoned", "tool.amended"].includes(event.type);
}

function resultOf(event: ResultEvent, name: string): { result: unknown; error?: string } {
  const error = errorOf(event);
  if (error === undefined) return { result: "output" in event ? event.output : null };
  // What a tool says of its failure itself is more than we know.
  const own = "output" in event && isTyped(event.output) ? event.output : undefined;
  return { result: own ?? { type: "tool_error", name, code: CODES[event.type], error }, error };
}

const CODES: Readonly<Record<ResultEvent["type"], string>> = {
  "tool.output": "exception",
  "tool.failed": "exception",
  "tool.amended": "exception",
  "tool.denied": "permission_denied",
  "tool.abandoned": "abandoned",
};

function errorOf(event: ResultEvent): string | undefined {
  switch (event.type) {
    case "tool.output":
      return undefined;
    case "tool.failed":
    case "tool.amended":
      return event.error;
    case "tool.denied":
      return event.reason ?? "The call was not allowed.";
    case "tool.abandoned":
      return event.reason;
  }
}

function isTyped(output: unknown): boolean {
  return typeof output === "object" && output !== null && "type" in output && typeof output.type === "string";
}
