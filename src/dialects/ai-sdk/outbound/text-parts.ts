/** Text and reasoning. A part that is open when its step ends is closed there and goes on as another in the next. */
import type { EventOf } from "../../../core/event.ts";
import { ourMetadata, type ProviderMetadata } from "../ui-message.ts";
import type { SegmentWriter } from "./segment-writer.ts";

type Kind = "text" | "reasoning";
export type TextEvent = EventOf<`${Kind}.${"start" | "delta" | "end"}`>;

interface OpenText {
  id: string;
  kind: Kind;
  metadata: ProviderMetadata;
  /** Whether it is open for the client. */
  isShown: boolean;
}

export class TextParts {
  readonly #writer: SegmentWriter;
  readonly #open = new Map<string, OpenText>();

  constructor(writer: SegmentWriter) {
    this.#writer = writer;
    writer.beforeStepEnds(() => {
      for (const text of this.#open.values()) this.#hide(text);
    });
  }

  add(event: TextEvent): void {
    if (event.type === "text.start" || event.type === "reasoning.start") {
      const kind = event.type === "text.start" ? "text" : "reasoning";
      const text = { id: event.part, kind, metadata: textMetadata(event), isShown: false } as const;
      this.#open.set(event.part, text);
      return this.#show(text);
    }
    const text = this.#open.get(event.part);
    if (!text) return;
    if (event.type === "text.delta" || event.type === "reasoning.delta") {
      this.#show(text);
      return this.#writer.write({ type: `${text.kind}-delta`, id: text.id, delta: event.delta });
    }
    this.#hide(text);
    this.#open.delete(text.id);
  }

  #show(text: OpenText): void {
    if (text.isShown) return;
    this.#writer.ensureStep();
    text.isShown = true;
    this.#writer.write({ type: `${text.kind}-start`, id: text.id, providerMetadata: text.metadata });
  }

  #hide(text: OpenText): void {
    if (!text.isShown) return;
    text.isShown = false;
    this.#writer.write({ type: `${text.kind}-end`, id: text.id });
  }
}

/** A text part has no id in a UIMessage; this is what `data-discarded` refers to. */
export function textMetadata(event: EventOf<"text.start" | "reasoning.start">): ProviderMetadata {
  const purpose = event.type === "text.start" ? event.purpose : undefined;
  return ourMetadata({ part: event.part, ...(purpose !== undefined && { purpose }) });
}
