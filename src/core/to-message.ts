/** The record of a message → the message as `/v1` gives it. Pure. Fields without a value are undefined. */
import type { Message } from "./message.ts";
import { messageContent } from "./message-content.ts";
import type { MessageRecord } from "./message-record.ts";

/** What its row and its session know of a message. */
export interface MessagePlace {
  session: string;
  /** Of the session, for logs in which messages do not name it. */
  agent: string;
  firstSeq: number;
  lastSeq: number;
}

const TYPES = { user: "prompt", assistant: "response", system: "trigger" } as const;

/** @example const messages = records.map((record) => toMessage(record, place)); */
export function toMessage(record: MessageRecord, place: MessagePlace): Message {
  const { id, role, at, turn, replyTo, events = [] } = record;
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
