/** One reader of the feed. A slow one keeps only the latest state of each session, so what waits stays bounded. */
import type { EventStream } from "./event-stream.ts";
import type { Frame } from "./frame.ts";

const WRITE_LENGTH = 64 * 1024;

export class FeedReader {
  readonly #stream: EventStream;
  /** Waiting frames by their subject. */
  readonly #waiting = new Map<string, string>();
  #hasBegun = false;

  constructor(stream: EventStream) {
    this.#stream = stream;
  }

  /** Sends the snapshot and what changed while it was made. */
  begin(snapshot: Frame): void {
    if (!this.#stream.isOpen) return;
    this.#stream.write(snapshot);
    this.#hasBegun = true;
    this.flush();
  }

  /** Whether it got its snapshot. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /**
   * Changes wait until it begins again. False for one that has not begun, which gets its snapshot anyway, and for one that cannot
   * take another: it is ended, and its client connects again.
   */
  pause(): boolean {
    if (!this.#hasBegun) return false;
    if (this.#stream.isFull) {
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
  take(changes: ReadonlyMap<string, string>, frame: Frame): void {
    if (this.#hasBegun && this.#waiting.size === 0 && !this.#stream.isFull) return this.#stream.write(frame);
    for (const [about, text] of changes) {
      // A newer state moves to the end of the queue: frames stay in the order of the last changes.
      this.#waiting.delete(about);
      this.#waiting.set(about, text);
    }
  }

  /** Sends waiting frames as far as there is room. */
  flush(): void {
    while (this.#hasBegun && this.#waiting.size > 0 && this.#stream.isOpen && !this.#stream.isFull) {
      let text = "";
      for (const [about, frame] of this.#waiting) {
        if (text.length > WRITE_LENGTH) break;
        this.#waiting.delete(about);
        text += frame;
      }
      this.#stream.writeText(text);
    }
  }
}
