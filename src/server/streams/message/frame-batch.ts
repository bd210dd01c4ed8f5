/** The frames that one stretch of a log adds to a message, made once and shared by every reader that is level. */
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
  /** Whether every response that is under way sends all of it as it is. */
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
