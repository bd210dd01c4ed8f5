/** Readers of the feed by the names they give themselves, so that each can say which session it looks at now. */
import type { Principal } from "../../core/principal.ts";
import type { EventStream } from "../streams/event-stream.ts";
import type { FanOut } from "../streams/fan-out.ts";

interface Reader {
  stream: EventStream;
  /** Takes it off from those who watch the session it looked at last. */
  leave(): void;
}

export class FeedReaders {
  readonly #fanOut: Pick<FanOut, "watch">;
  readonly #readers = new Map<string, Reader>();

  constructor(fanOut: Pick<FanOut, "watch">) {
    this.#fanOut = fanOut;
  }

  /** A reader without a name cannot look elsewhere. One that comes again takes its name over. */
  add(stream: EventStream, name: string | undefined, watching: string | undefined): void {
    const leave = watching === undefined ? () => {} : this.#fanOut.watch(stream, watching);
    if (name === undefined || !stream.isOpen) return;
    const key = keyOf(stream.caller, name);
    const reader = { stream, leave };
    this.#readers.set(key, reader);
    stream.onClose(() => this.#readers.get(key) === reader && this.#readers.delete(key));
  }

  /** False if there is no such reader: another token's are not found. */
  watch(caller: Principal, name: string, watching: string | undefined): boolean {
    const reader = this.#readers.get(keyOf(caller, name));
    if (!reader) return false;
    reader.leave();
    reader.leave = watching === undefined ? () => {} : this.#fanOut.watch(reader.stream, watching);
    return true;
  }
}

function keyOf({ access }: Principal, name: string): string {
  return JSON.stringify([access.token, name]);
}
