/** The view of a session as UnifiedMessages. Begun in the middle of a log, it needs the events of the open turn. */
import type { SessionEvent } from "../../core/event.ts";
import {
  createUnifiedTranslator,
  type UnifiedTranslator,
  type UnifiedTranslatorOptions,
} from "../../unified/create-unified-translator.ts";
import { EVENT_MESSAGES } from "../../unified/outbound/event-messages.ts";
import type { Frame, View } from "../dialect.ts";
import { eventFrame, plainFrame } from "./sequenced-frame.ts";

const NO_FRAMES: readonly Frame[] = [];

export class UnifiedView implements View {
  readonly #translator: UnifiedTranslator;
  readonly #asks = new Map<string, string>();

  constructor(options?: UnifiedTranslatorOptions) {
    this.#translator = createUnifiedTranslator(options);
  }

  /** The requests that are open, by their ids, as frames for whoever has passed their place. */
  get openAsks(): ReadonlyMap<string, string> {
    return this.#asks;
  }

  add(event: SessionEvent): readonly Frame[] {
    if (!Object.hasOwn(EVENT_MESSAGES, event.type)) return NO_FRAMES;
    const { session, seq } = event;
    const messages = this.#translator.add(event);
    const frames = messages.map((payload, index) => ({
      text: eventFrame(payload, { session, seq, index, isLast: index === messages.length - 1 }),
    }));
    if (event.type === "ask.opened") this.#asks.set(event.ask, withoutSeq(frames.at(-1)!.text));
    else if (event.type === "ask.answered" || event.type === "ask.closed") this.#asks.delete(event.ask);
    return frames;
  }
}

/** A cursor must not go back with it. */
function withoutSeq(frame: string): string {
  const { payload, message_id } = JSON.parse(frame);
  return plainFrame(payload, message_id);
}
