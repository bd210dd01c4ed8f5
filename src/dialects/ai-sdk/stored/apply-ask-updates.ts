/** Writes updates of a waiting ask into the stored message. The stream ended at the ask, so no chunk can carry them. */
import { shownFields } from "../../../core/ask-update.ts";
import type { SessionEvent } from "../../../core/event.ts";
import { type AskData, askedInput } from "../data-part.ts";
import { isToolPart, type ToolPart, type UIMessage } from "../ui-message.ts";

/** Mutates `message`. */
export function applyAskUpdates(message: UIMessage, events: readonly SessionEvent[]): void {
  /** Undefined for an input that is still streaming: its part shows it. */
  const inputs = new Map<string, unknown>();
  const updates = new Map<string, Pick<AskData, "changes" | "detail">>();
  for (const event of events) {
    if (event.type === "tool.input.delta") inputs.set(event.call, undefined);
    if (event.type === "tool.input") inputs.set(event.call, event.input ?? {});
    if (event.type === "ask.updated")
      updates.set(event.ask, { ...updates.get(event.ask), ...shownFields(event) });
  }
  const open = new Map<string, AskData>();
  for (const part of message.parts) {
    if (part.type !== "data-ask" || part.data.state !== "open") continue;
    part.data = { ...part.data, ...updates.get(part.data.ask) };
    open.set(part.data.ask, part.data);
  }
  for (const part of message.parts) {
    const ask = isToolPart(part) && part.state === "approval-requested" && open.get(part.approval!.id);
    if (ask) showInput(part as ToolPart, ask, inputs);
  }
}

/** The ask is on the part of its call, or on a part of its own that names the call. */
function showInput(part: ToolPart, ask: AskData, inputs: ReadonlyMap<string, unknown>): void {
  const input = ask.call === undefined ? undefined : inputs.get(ask.call);
  if (part.toolCallId !== ask.call) {
    part.input = { ...(part.input as object), ...shownFields(ask), ...(input !== undefined && { input }) };
  } else {
    part.input = inputs.has(ask.call) ? (input ?? part.input) : askedInput(ask);
  }
}
