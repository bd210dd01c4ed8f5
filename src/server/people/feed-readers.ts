/**
 * Readers of the feed by the names they give themselves, so that each can say which session it looks at now, by whichever node.
 */
import { setTimeout as sleep } from "node:timers/promises";
import type { PeerNews } from "../../core/peer-news.ts";
import type { Principal } from "../../core/principal.ts";
import type { EventStream } from "../streams/event-stream.ts";
import type { FanOut } from "../streams/fan-out.ts";

interface Reader {
  stream: EventStream;
  /** Takes it off from those who watch the session it looked at last. */
  leave(): void;
}

const TOPIC = "feed-readers";
const WATCHING = "watching";
/** How long it may take until other nodes know of a reader that has just connected. */
const ANNOUNCED_MS = 500;

/** What one node asks of the one that has the reader. */
interface Wish {
  key: string;
  watching?: string;
}

export class FeedReaders {
  readonly #fanOut: Pick<FanOut, "watch">;
  readonly #readers = new Map<string, Reader>();
  readonly #news: PeerNews | undefined;
  /** Readers of other nodes, and which ones. */
  readonly #elsewhere = new Map<string, number>();
  readonly #stops: (() => void)[] = [];

  constructor(fanOut: Pick<FanOut, "watch">, news?: PeerNews) {
    this.#fanOut = fanOut;
    this.#news = news;
    if (!news) return;
    this.#stops.push(
      news.listen(TOPIC, ({ node, key, value }) => {
        if (value !== undefined) this.#elsewhere.set(key, node);
        else if (this.#elsewhere.get(key) === node) this.#elsewhere.delete(key);
      }),
      news.listen(WATCHING, ({ value }) => {
        const { key, watching } = value as Wish;
        this.#look(key, watching);
      }),
    );
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  /** A reader without a name cannot look elsewhere. One that comes again takes its name over. */
  add(stream: EventStream, name: string | undefined, watching: string | undefined): void {
    const leave = watching === undefined ? () => {} : this.#fanOut.watch(stream, watching);
    if (name === undefined || !stream.isOpen) return;
    const key = keyOf(stream.caller, name);
    const reader = { stream, leave };
    this.#readers.set(key, reader);
    this.#news?.set(TOPIC, key, true);
    stream.onClose(() => {
      if (this.#readers.get(key) !== reader) return;
      this.#readers.delete(key);
      this.#news?.set(TOPIC, key, undefined);
    });
  }

  /** False if there is no such reader: another token's are not found. */
  async watch(caller: Principal, name: string, watching: string | undefined): Promise<boolean> {
    const key = keyOf(caller, name);
    if (this.#look(key, watching)) return true;
    if (!this.#news) return false;
    if (!this.#elsewhere.has(key)) await sleep(ANNOUNCED_MS);
    if (!this.#elsewhere.has(key)) return this.#look(key, watching);
    this.#news.tell(WATCHING, { key, watching } satisfies Wish);
    return true;
  }

  #look(key: string, watching: string | undefined): boolean {
    const reader = this.#readers.get(key);
    if (!reader) return false;
    reader.leave();
    reader.leave = watching === undefined ? () => {} : this.#fanOut.watch(reader.stream, watching);
    return true;
  }
}

function keyOf({ access }: Principal, name: string): string {
  return JSON.stringify([access.token, name]);
}
