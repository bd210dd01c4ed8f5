/** Results that came after their call was settled: they rewrite the stored message. */
import type { EventOf, SessionEvent } from "../../../core/event.ts";
import { isToolPart, type ToolPart, type UIMessage } from "../ui-message.ts";

/** Mutates `message`. */
export function applyAmendments(message: UIMessage, events: readonly SessionEvent[]): void {
  for (const event of events) {
    if (event.type !== "tool.amended") continue;
    const part = findCall(message, event.call);
    if (part) amend(part, event);
  }
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
