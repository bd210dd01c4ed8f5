/** Finds the input of a call in a message: in its own part, a sub-agent's, or the one that carries an ask. Pure. */
import type { DaemonMessage, ToolPart, UIMessagePart } from "../chat/page-message.ts";

export function inputOfCall(message: DaemonMessage, call: string): unknown {
  const parts = message.parts.map((part) => (part.type === "data-subagent" ? part.data.part : part));
  const own = parts.filter(isTool).find(({ toolCallId }) => toolCallId === call);
  if (own) return own.input;
  const carrier = parts.filter(isTool).find(({ input }) => isRecord(input) && input.toolCallId === call);
  return isRecord(carrier?.input) ? carrier.input.input : undefined;
}

function isTool(part: UIMessagePart): part is ToolPart {
  return part.type === "dynamic-tool" || part.type.startsWith("tool-");
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
