/** Collects events into the messages of a conversation, to be stored or shown. */
import type { SessionEvent, TurnOutcome } from "../../../core/event.ts";
import { MessageFold } from "../../../core/fold-messages.ts";
import { addCost, addUsage, type TokenUsage } from "../../../core/usage.ts";
import type { MessageEncoderOptions } from "../outbound.ts";
import { toUIMessage } from "../to-ui-message.ts";
import type { UIMessage } from "../ui-message.ts";

/** What all turns together cost, and how the last one ended. */
export interface SessionMetadata {
  turns: number;
  usage: TokenUsage;
  cost: number;
  durationMs: number;
  outcome: TurnOutcome;
  model?: string;
}

export interface MessageAccumulator {
  /** Events in the order of their log, from its beginning. */
  process(event: SessionEvent): void;
  /** The conversation so far, oldest first, with the unfinished message at the end. */
  getMessages(): UIMessage[];
  /** Null until a turn has ended. */
  getSessionMetadata(): SessionMetadata | null;
  /** The agent's own id of the conversation; null until it is known. */
  getAgentSessionId(): string | null;
}

/**
 * @example
 * const accumulator = createMessageAccumulator();
 * for await (const event of events) accumulator.process(event);
 * save(accumulator.getMessages(), accumulator.getSessionMetadata());
 */
export function createMessageAccumulator(options: MessageEncoderOptions = {}): MessageAccumulator {
  const fold = new MessageFold();
  let session: NonNullable<MessageEncoderOptions["session"]> = {};
  let model: string | undefined;
  let metadata: SessionMetadata | null = null;
  return {
    process(event) {
      fold.add(event);
      if (event.type === "session.created") session = { agent: event.agent };
      if ("model" in event && event.type !== "usage") model = event.model ?? model;
      if (event.type === "session.attached" || event.type === "session.updated") {
        session.agentSessionId = event.agentSessionId ?? session.agentSessionId;
      }
      if (event.type !== "turn.ended") return;
      const { turns = 0, usage = {}, cost = 0, durationMs = 0 } = metadata ?? {};
      metadata = {
        turns: turns + 1,
        usage: addUsage(usage, event.usage),
        cost: addCost(cost, event.cost) ?? 0,
        durationMs: durationMs + event.durationMs,
        outcome: event.outcome,
        model,
      };
    },
    getMessages: () =>
      fold.messages.map((record) =>
        toUIMessage(record, { ...options, session: { ...session, ...options.session } }),
      ),
    getSessionMetadata: () => metadata,
    getAgentSessionId: () => session.agentSessionId ?? null,
  };
}
