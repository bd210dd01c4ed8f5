/** One reader of the feed. A slow one keeps only the latest state of each session, so what waits stays bounded. */
import type { EventStream } from "./event-stream.ts";
import type { FeedChange } from "./feed-journal.ts";
import type { Frame } from "./frame.ts";

const WRITE_LENGTH = 64 * 1024;

export class FeedReader {
  readonly #stream: EventStream;
  /** Waiting frames by their subject. */
  readonly #waiting = new Map<string, FeedChange>();
  #hasBegun = false;
  #pauses = 0;

  constructor(stream: EventStream) {
    this.#stream = stream;
  }

  /**
   * Sends the first frame, and then what changed since.
   *
   * @param revision The number of the last change that the frame has. Changes up to it may be older than the frame.
   */
  begin(first: Frame, revision: number): void {
    if (!this.#stream.isOpen) return;
    for (const [about, change] of this.#waiting) if (change.revision <= revision) this.#waiting.delete(about);
    this.#stream.write(first);
    this.#hasBegun = true;
    this.flush();
  }

  /** How often the reader was paused. A snapshot that was asked for before the last pause is too old for it. */
  get pauses(): number {
    return this.#pauses;
  }

  /**
   * Changes wait until the reader begins again, with a snapshot that is made from now on. False for a reader that cannot take
   * another snapshot: it is ended, and its client connects again.
   */
  pause(): boolean {
    this.#pauses += 1;
    if (this.#hasBegun && this.#stream.isFull) {
      this.end("connect again: changes were missed");
      return false;
    }
    this.#hasBegun = false;
    this.#waiting.clear();
    return true;
  }

  end(reason: string): void {
    this.#stream.end(reason);
  }

  /** `frame` has all of `changes`, ready to be shared. */
  take(changes: ReadonlyMap<string, FeedChange>, frame: Frame): void {
    if (this.#hasBegun && this.#waiting.size === 0 && !this.#stream.isFull) return this.#stream.write(frame);
    for (const [about, change] of changes) {
      // A newer state moves to the end of the queue: frames stay in the order of the last changes.
      this.#waiting.delete(about);
      this.#waiting.set(about, change);
    }
  }

  /** Sends waiting frames as far as there is room. */
  flush(): void {
    while (this.#hasBegun && this.#waiting.size > 0 && this.#stream.isOpen && !this.#stream.isFull) {
      let text = "";
      for (const [about, { frame }] of this.#waiting) {
        if (text.length > WRITE_LENGTH) break;
        this.#waiting.delete(about);
        text += frame;
      }
      this.#stream.writeText(text);
    }
  }
}
