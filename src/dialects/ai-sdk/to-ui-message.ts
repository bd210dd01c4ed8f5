/**
 * Stored messages → UIMessages. An assistant message goes through the encoder and the fold that make the live one, so
 * stored and live are the same; what came after its end is then written into it.
 */
import type { SessionEvent } from "../../core/event.ts";
import type { MessageRecord } from "../../core/message-record.ts";
import type { UIMessageChunk } from "./chunk.ts";
import { foldChunks } from "./fold-chunks.ts";
import { createMessageEncoder, type MessageEncoderOptions } from "./outbound.ts";
import { joinSegments, splitSegments, untilOpenAsk } from "./segments.ts";
import { applyAmendments } from "./stored/apply-amendments.ts";
import { applyAskUpdates } from "./stored/apply-ask-updates.ts";
import { applyDecisions } from "./stored/apply-decisions.ts";
import type { MessageMetadata, UIMessage } from "./ui-message.ts";

/**
 * A message that waits for a person ends at the first open ask, as in a client that watched it live.
 *
 * @example const history = records.map((record) => toUIMessage(record, { session: { agent: "claude" } }));
 */
export function toUIMessage(record: MessageRecord, options: MessageEncoderOptions = {}): UIMessage {
  if (record.role !== "assistant") return toSimpleMessage(record);
  const events = record.events ?? [];
  const message = foldChunks(chunksOf(events, { ...options, lateContent: true }));
  message.id = record.id;
  applyAmendments(message, events);
  applyAskUpdates(message, events);
  applyDecisions(message, events);
  return message;
}

/** The chunks of a whole-message replay, as they were streamed; none for a message that no agent made. */
export function messageChunks(record: MessageRecord, options: MessageEncoderOptions = {}): UIMessageChunk[] {
  return chunksOf(record.events ?? [], options);
}

function chunksOf(events: readonly SessionEvent[], options: MessageEncoderOptions): UIMessageChunk[] {
  const encoder = createMessageEncoder(options);
  const open = openAsks(events);
  const segments = splitSegments(events.flatMap((event) => encoder.encode(event)));
  return joinSegments(untilOpenAsk(segments, (ask) => open.has(ask)));
}

/** The asks that nobody has answered. */
function openAsks(events: readonly SessionEvent[]): Set<string> {
  const open = new Set<string>();
  for (const event of events) {
    if (event.type === "ask.opened") open.add(event.ask);
    else if (event.type === "ask.answered" || event.type === "ask.closed") open.delete(event.ask);
  }
  return open;
}

function toSimpleMessage(record: MessageRecord): UIMessage {
  const metadata: MessageMetadata = { createdAt: record.at, turn: record.turn };
  if (record.role === "system") {
    return { id: record.id, role: "system", metadata, parts: [{ type: "text", text: record.text ?? "" }] };
  }
  // Stock clients have no place for a context, and would send it back as words of the person.
  if (record.by !== undefined) metadata.by = record.by;
  const parts = (record.parts ?? []).flatMap((part) => (part.type === "context" ? [] : [{ ...part }]));
  return { id: record.id, role: "user", metadata, parts };
}
