/** The contents of waiting prompts: small ones are kept in memory, the others are read from the log when needed. */
import { setImmediate } from "node:timers/promises";
import type { SessionEvent } from "../../core/event.ts";
import { type PromptPart, promptSize } from "../../core/prompt-part.ts";
import type { QueuedPrompt } from "../../core/session-state.ts";
import type { Store } from "../../core/store.ts";

/** How much is kept per session, in characters. */
const KEPT = 1024 * 1024;

export class PromptContents {
  readonly #session: string;
  readonly #store: Pick<Store, "readEvents">;
  readonly #kept = new Map<string, readonly PromptPart[]>();
  #bytes = 0;

  constructor(session: string, store: Pick<Store, "readEvents">) {
    this.#session = session;
    this.#store = store;
  }

  /** Keeps it, however large, until it is dropped or `trim` is called. */
  keep(message: string, parts: readonly PromptPart[]): void {
    this.drop(message);
    this.#kept.set(message, parts);
    this.#bytes += promptSize(parts);
  }

  drop(message: string): void {
    this.#bytes -= promptSize(this.#kept.get(message) ?? []);
    this.#kept.delete(message);
  }

  /** Drops the newest until the rest is small: the oldest are needed first. `needed` always stays. */
  trim(needed?: string): void {
    for (const message of [...this.#kept.keys()].reverse()) {
      if (this.#bytes <= KEPT) return;
      if (message !== needed) this.drop(message);
    }
  }

  /** Undefined where it has to be read. */
  kept(message: string): readonly PromptPart[] | undefined {
    return this.#kept.get(message);
  }

  /** The event has to be committed. Rejects where the log cannot be read. */
  async read({ message, contentSeq }: QueuedPrompt): Promise<readonly PromptPart[]> {
    const kept = this.#kept.get(message);
    if (kept) return kept;
    const { events } = await this.#store.readEvents(this.#session, contentSeq - 1, 1);
    // Reading and parsing a large prompt take long, so the event loop turns in between, and before it is sent.
    await setImmediate();
    const event = events[0] && (JSON.parse(events[0].json) as SessionEvent);
    await setImmediate();
    const isContent = event?.type === "prompt.accepted" || event?.type === "prompt.changed";
    if (!isContent || event.message !== message)
      throw new Error(`event ${contentSeq} of session ${this.#session} is not the prompt ${message}`);
    return event.parts;
  }
}
