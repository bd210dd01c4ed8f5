/** The chunks that one stretch of a log adds to a message, made once and shared by every reader that is level. */
import { type Frame, frameOf } from "../frame.ts";

export interface ChunkEntry {
  /** The event it was made from. */
  seq: number;
  /**
   * What it means to a response: `start` and `seam` begin and end a segment, `answered` is no chunk but the news that
   * an ask of an earlier seam is no longer open, `end` is the last chunk of the message.
   */
  mark: "start" | "step" | "content" | "seam" | "answered" | "end";
  /** As it is sent; empty for `answered`. */
  text: string;
  /** Of a seam and of an answer. */
  ask?: string;
}

export class ChunkBatch {
  readonly entries: readonly ChunkEntry[];
  /** Whether every response that is under way sends all of it as it is. */
  readonly isPlain: boolean;
  #frame: Frame | undefined;

  constructor(entries: readonly ChunkEntry[]) {
    this.entries = entries;
    this.isPlain = entries.every(({ mark }) => mark === "content" || mark === "step");
  }

  get frame(): Frame {
    this.#frame ??= frameOf(this.entries.map(({ text }) => text).join(""));
    return this.#frame;
  }
}
