/** The frames that one slice of a log adds to a message, made once and shared by every reader at that position. */
import type { MessageFrame, SharedFrame } from "../../../dialects/dialect.ts";
import { frameOf } from "../frame.ts";

export type FrameEntry = (MessageFrame | AnsweredAsk) & {
  /** The event it was made from. */
  seq: number;
};

/** No frame: an ask of an earlier seam is no longer open. */
interface AnsweredAsk {
  mark: "answered";
  text: "";
  ask: string;
}

export class FrameBatch {
  readonly entries: readonly FrameEntry[];
  /** Whether every running response sends all of it unchanged. */
  readonly isPlain: boolean;
  #frame: SharedFrame | undefined;

  constructor(entries: readonly FrameEntry[]) {
    this.entries = entries;
    this.isPlain = entries.every(({ mark }) => mark === "content" || mark === "step");
  }

  get frame(): SharedFrame {
    this.#frame ??= frameOf(this.entries.map(({ text }) => text).join(""));
    return this.#frame;
  }
}
