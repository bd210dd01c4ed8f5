/** Results that came after their call was settled: they rewrite the stored message. */
import type { EventOf, SessionEvent } from "../../../core/event.ts";
import type { ToolResultData } from "../data-part.ts";
import { isToolPart, type ToolPart, type UIMessage } from "../ui-message.ts";

/** Mutates `message`. */
export function applyAmendments(message: UIMessage, events: readonly SessionEvent[]): void {
  for (const event of events) {
    if (event.type !== "tool.amended") continue;
    const part = findCall(message, event.call);
    if (!part) continue;
    amend(part, event);
    amendDetails(message, part, event);
  }
}

/** What stands beside the part goes with the result that was replaced. Calls of sub-agents get nothing new. */
function amendDetails(message: UIMessage, part: ToolPart, event: EventOf<"tool.amended">): void {
  const { call } = event;
  const data = amendedDetails(event);
  const details = data ? [{ type: "data-tool-result" as const, id: call, data }] : [];
  const known = message.parts.findIndex((other) => other.type === "data-tool-result" && other.id === call);
  const place = message.parts.indexOf(part);
  // Where they were, else right after the call.
  if (known >= 0) message.parts.splice(known, 1, ...details);
  else if (place >= 0) message.parts.splice(place + 1, 0, ...details);
}

function amendedDetails({
  call,
  output,
  error,
  exitCode,
}: EventOf<"tool.amended">): ToolResultData | undefined {
  const data: ToolResultData = {
    call,
    ...(error !== undefined && output !== undefined && { output }),
    ...(exitCode !== undefined && { exitCode }),
  };
  return Object.keys(data).length > 1 ? data : undefined;
}

function amend(part: ToolPart, { output, error }: EventOf<"tool.amended">): void {
  delete part.output;
  delete part.errorText;
  delete part.preliminary;
  if (error !== undefined) Object.assign(part, { state: "output-error", errorText: error });
  else Object.assign(part, { state: "output-available", output: output ?? null });
}

function findCall(message: UIMessage, call: string): ToolPart | undefined {
  for (const part of message.parts) {
    const candidate = part.type === "data-subagent" ? part.data.part : part;
    if (isToolPart(candidate) && candidate.toolCallId === call) return candidate;
  }
  return undefined;
}
