/** The frames that one slice of a log adds to a view, encoded once for every reader at that position. */
import type { SharedFrame, SharedFrames } from "../../dialects/dialect.ts";
import { frameOf } from "./frame.ts";
import { textMessages } from "./text-messages.ts";

export interface ViewEntry {
  /** The event it was made from. */
  seq: number;
  text: string;
}

export class ViewBatch implements SharedFrames {
  /** Whether the session is closed with it: nothing can follow. */
  readonly closesSession: boolean;
  readonly #entries: readonly ViewEntry[];
  #joined: SharedFrame | undefined;
  #messages: Buffer | undefined;

  constructor(entries: readonly ViewEntry[], closesSession: boolean) {
    this.#entries = entries;
    this.closesSession = closesSession;
  }

  get isEmpty(): boolean {
    return this.#entries.length === 0;
  }

  get joined(): SharedFrame {
    this.#joined ??= frameOf(this.#entries.map(({ text }) => text).join(""));
    return this.#joined;
  }

  get messages(): Buffer {
    this.#messages ??= textMessages(this.#entries.flatMap(({ text }) => text || []));
    return this.#messages;
  }

  /** The frames of later events; the batch itself if these are all. */
  after(seq: number): ViewBatch {
    if (this.isEmpty || this.#entries[0]!.seq > seq) return this;
    return new ViewBatch(
      this.#entries.filter((entry) => entry.seq > seq),
      this.closesSession,
    );
  }
}
