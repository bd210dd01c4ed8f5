/**
 * The encoder of one message, moved along the log. Readers at the same place share one: it encodes each stretch of the
 * log once and keeps the result as long as somebody keeps the stretch.
 */
import type { SessionEvent } from "../../../core/event.ts";
import type { UIMessageChunk } from "../../../dialects/ai-sdk/chunk.ts";
import {
  createMessageEncoder,
  type MessageEncoder,
  type MessageEncoderOptions,
} from "../../../dialects/ai-sdk/outbound.ts";
import { toSseFrame } from "../../../dialects/ai-sdk/sse.ts";
import type { Segment } from "../segment.ts";
import { ChunkBatch, type ChunkEntry } from "./chunk-batch.ts";

export class MessageTrack {
  readonly #encoder: MessageEncoder;
  readonly #start: number;
  readonly #batches = new WeakMap<Segment, ChunkBatch>();
  /** The seq of the event to take next. */
  #next: number;
  /** The last ask that was told, which is the one a seam is for. */
  #ask = "";

  /** `start` is the seq of the message's `message.started`. */
  constructor(start: number, options: MessageEncoderOptions) {
    this.#start = start;
    this.#next = start;
    this.#encoder = createMessageEncoder(options);
  }

  get next(): number {
    return this.#next;
  }

  /** Whether it stands before this stretch, or has been over it. */
  canTake(segment: Segment): boolean {
    if (this.#batches.has(segment)) return true;
    const isFirst = this.#next === this.#start && segment.first <= this.#start && this.#start <= segment.last;
    return isFirst || segment.first === this.#next;
  }

  /** What this stretch adds; only after `canTake`. */
  take(segment: Segment): ChunkBatch {
    const known = this.#batches.get(segment);
    if (known) return known;
    const entries: ChunkEntry[] = [];
    for (const { seq, json } of segment.events)
      if (seq >= this.#start) this.#encode(JSON.parse(json), entries);
    this.#next = segment.last + 1;
    const batch = new ChunkBatch(entries);
    this.#batches.set(segment, batch);
    return batch;
  }

  #encode(event: SessionEvent, entries: ChunkEntry[]): void {
    const { seq } = event;
    if (event.type === "ask.answered" || event.type === "ask.closed")
      entries.push({ seq, mark: "answered", text: "", ask: event.ask });
    for (const chunk of this.#encoder.encode(event)) entries.push(this.#entryOf(seq, chunk));
  }

  #entryOf(seq: number, chunk: UIMessageChunk): ChunkEntry {
    const text = toSseFrame(chunk);
    switch (chunk.type) {
      case "data-ask":
        this.#ask = chunk.id;
        return { seq, mark: "content", text };
      case "start":
        return { seq, mark: "start", text };
      case "start-step":
        return { seq, mark: "step", text };
      case "finish":
        return chunk.finishReason === "tool-calls"
          ? { seq, mark: "seam", text, ask: this.#ask }
          : { seq, mark: "end", text };
      default:
        return { seq, mark: "content", text };
    }
  }
}
