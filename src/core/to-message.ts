/** The record of a message → the message as `/v1` returns it. Pure. Fields without a value are undefined. */
import type { Message } from "./message.ts";
import { messageContent } from "./message-content.ts";
import type { MessageRecord } from "./message-record.ts";

/** What a message's row and session know about it. */
export interface MessagePlace {
  session: string;
  /** The session's agent, for older logs whose messages do not name it. */
  agent: string;
  firstSeq: number;
  lastSeq: number;
}

const TYPES = { user: "prompt", assistant: "response", system: "trigger" } as const;

/** @example const messages = records.map((record) => toMessage(record, place)); */
export function toMessage(record: MessageRecord, place: MessagePlace): Message {
  const { id, role, at, turn, replyTo, by, checkpoint, events = [] } = record;
  const { session, firstSeq, lastSeq } = place;
  const started = events.find((event) => event.type === "message.started");
  const end = events.findLast((event) => event.type === "turn.ended");
  return {
    id,
    session,
    parent: replyTo,
    role,
    type: TYPES[role],
    content: role === "assistant" ? messageContent(events) : saidIn(record),
    metadata: {
      agent: started?.agent ?? place.agent,
      model: end?.model ?? started?.model,
      turn,
      outcome: end?.outcome,
      error: end?.error,
      usage: end?.usage,
      cost: end?.cost,
      durationMs: end?.durationMs,
      waitedMs: end?.waitedMs,
      by,
      checkpoint,
    },
    createdAt: at,
    updatedAt: events.at(-1)?.at ?? at,
    firstSeq,
    lastSeq,
  };
}

function saidIn({ role, parts = [], text = "" }: MessageRecord): Message["content"] {
  return role === "user" ? parts : [{ type: "text", text }];
}
