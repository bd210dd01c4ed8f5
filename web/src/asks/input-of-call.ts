/** Finds the input of a call in a message: in its own part, a sub-agent's, or the one that carries an ask. Pure. */
import { type DaemonMessage, isToolPart } from "../chat/page-message.ts";
import { isRecord } from "../is-record.ts";

export function inputOfCall(message: DaemonMessage, call: string): unknown {
  const parts = message.parts.map((part) => (part.type === "data-subagent" ? part.data.part : part));
  const own = parts.filter(isToolPart).find(({ toolCallId }) => toolCallId === call);
  if (own) return own.input;
  const carrier = parts.filter(isToolPart).find(({ input }) => isRecord(input) && input.toolCallId === call);
  return isRecord(carrier?.input) ? carrier.input.input : undefined;
}
