/** The text of a message from a client → the UnifiedMessage in it, with or without the envelope. */
import { isRecord } from "../../core/is-record.ts";
import { invalidField } from "../../protocol/refusals.ts";
import { checkUnifiedMessage } from "../../unified/check-unified-message.ts";
import type { UnifiedMessage } from "../../unified/unified-message.ts";

/** Throws `invalid_request` with the field that is wrong. */
export function readMessage(value: unknown): UnifiedMessage {
  const isEnvelope = isRecord(value) && value.type === undefined && "payload" in value;
  const message = isEnvelope ? value.payload : value;
  const problem = checkUnifiedMessage(message);
  if (!problem) return message as UnifiedMessage;
  const path = [isEnvelope ? "payload" : "", problem.path].filter((name) => name !== "").join(".");
  throw invalidField(
    path,
    problem.message,
    `This is no UnifiedMessage: ${path === "" ? "it" : path} ${problem.message}. Send one JSON object with id, timestamp, type, role, content and metadata.`,
  );
}

/** What is known of a message that may not be a valid one, so that its sender knows which one is answered. */
export function namesOf(value: unknown): { id?: string; requestId?: string } {
  const message =
    isRecord(value) && isRecord(value.payload) && value.type === undefined ? value.payload : value;
  if (!isRecord(message)) return {};
  const requestId = isRecord(message.metadata) ? message.metadata.request_id : undefined;
  return {
    ...(isShort(message.id) && { id: message.id }),
    ...(isShort(requestId) && { requestId }),
  };
}

function isShort(value: unknown): value is string {
  return typeof value === "string" && value.length > 0 && value.length <= 512;
}
