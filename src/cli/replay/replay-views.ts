/** What a replay can be printed as: each view turns events into the objects of its lines. */
import type { SessionEvent } from "../../core/event.ts";
import { MessageFold } from "../../core/fold-messages.ts";
import { createMessageEncoder, type MessageEncoder } from "../../dialects/ai-sdk/outbound.ts";
import type { ReplayFormat } from "./replay-format.ts";

export interface ReplayView {
  add(event: SessionEvent): readonly unknown[];
  /** Lines that are known only at the end. */
  end?(): readonly unknown[];
}

export const REPLAY_VIEWS: Readonly<Record<Exclude<ReplayFormat, "raw">, (agent: string) => ReplayView>> = {
  events: () => ({ add: (event) => [event] }),
  messages: messageView,
  "ai-sdk": chunkView,
};

/** A rewind can take messages back, so they are known at the end. */
function messageView(): ReplayView {
  const fold = new MessageFold();
  return {
    add(event) {
      fold.add(event);
      return [];
    },
    end: () => fold.messages,
  };
}

/** Each assistant message as it was streamed, one after the other. */
function chunkView(agent: string): ReplayView {
  let encoder: MessageEncoder | undefined;
  return {
    add(event) {
      const chunks = encoder?.encode(event) ?? [];
      if (event.type !== "message.started") return chunks;
      encoder = createMessageEncoder({ session: { agent } });
      return [...chunks, ...encoder.encode(event)];
    },
  };
}
