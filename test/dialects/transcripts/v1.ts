/** How clients of `/v1` read a conversation: its events, and its messages. */

import { eventSchema, type SessionEvent } from "../../../src/core/event.ts";
import { foldMessages } from "../../../src/core/fold-messages.ts";
import type { ContentPart, Message } from "../../../src/core/message.ts";
import { toMessage } from "../../../src/core/to-message.ts";
import {
  foldTranscript,
  type Transcript,
  type TranscriptContract,
  type TranscriptPart,
} from "../../../src/testkit/dialect-contract/index.ts";
import { dataOf } from "./data-of.ts";
import { V1_MESSAGE_DROPS } from "./v1-drops.ts";

export const v1Events: TranscriptContract = {
  name: "stream",
  fold: (frames) => foldTranscript(frames.map(({ text }) => eventSchema.parse(JSON.parse(dataOf(text))))),
  drops: [],
};

export const v1Messages: TranscriptContract<readonly Message[]> = {
  name: "messages",
  fold: (messages) => foldV1Messages(messages),
  drops: V1_MESSAGE_DROPS,
  *stories(log) {
    const place = { session: "s", agent: "agent", firstSeq: 1, lastSeq: 1 };
    yield {
      shown: JSON.parse(JSON.stringify(foldMessages(log).map((record) => toMessage(record, place)))),
      log,
    };
  },
};

/** The answer of `GET /v1/sessions/{id}/messages`. */
export function foldV1Messages(messages: readonly Message[]): Transcript {
  return messages.map(({ id, role, parent, content, metadata, createdAt }) => {
    const { agent, model, turn, outcome, error, usage, cost, durationMs, waitedMs, checkpoint } = metadata;
    const said =
      role === "assistant" ? { agent, model, outcome, error, usage, cost, durationMs, waitedMs } : {};
    return {
      id,
      role,
      at: createdAt,
      turn,
      replyTo: parent,
      checkpoint,
      ...(said as object),
      content: role === "assistant" ? foldContent(content) : (content as TranscriptPart[]),
    };
  });
}

function foldContent(content: readonly ContentPart[]): TranscriptPart[] {
  const results = new Map(
    content.flatMap((part) => (part.type === "tool_result" ? [[part.call, part] as const] : [])),
  );
  return content.flatMap((part): TranscriptPart[] => {
    switch (part.type) {
      case "tool_result":
        return [];
      case "tool_call": {
        const { type: _, ...call } = part;
        const { state, output, error, truncatedFrom, exitCode, metadata } = results.get(part.call) ?? {};
        const result = state && { state, output, error, truncatedFrom, exitCode, metadata };
        return [{ type: "call", ...call, result }];
      }
      case "ask": {
        const { outcome, state, ...ask } = part;
        return [{ ...ask, state: outcome ?? (state as "open" | "answered") }];
      }
      default:
        return [part as TranscriptPart];
    }
  });
}

export function eventsOf(frames: readonly string[]): SessionEvent[] {
  return frames.map((text) => eventSchema.parse(JSON.parse(text)));
}
