/**
 * Selects the frames of a message for one response. It begins at the first frame or after the segments its client has,
 * ignores seams whose asks are answered, and ends at the first seam that waits for a person unless it goes across asks.
 */
import type { MessageFormat, ResponseStart, Sink } from "../../../dialects/dialect.ts";
import type { FrameBatch, FrameEntry } from "./frame-batch.ts";

/** How much may be held back at a seam. Beyond it the response ends there, and the client resumes to get the rest. */
const MAX_HELD = 1024 * 1024;

/** Calls `end` when the response is complete. */
export type ResponseOutput = Pick<Sink, "write" | "writeText" | "end">;

export class MessageResponse {
  readonly #format: Pick<MessageFormat, "done" | "begin" | "pause">;
  readonly #output: ResponseOutput;
  readonly #start: ResponseStart;
  /** The last event whose frames were taken. */
  #cursor = 0;
  /** Segments that have ended. */
  #ended = 0;
  #hasStarted = false;
  /** Frames of this response so far, sent or left out. */
  #count = 0;
  #text = "";
  readonly #answered = new Set<string>();
  /** Asks of the seams so far that nobody has answered. */
  readonly #open = new Set<string>();
  /** The end of the segment at the seam, to be sent if the response ends there. */
  #seam: string | undefined;
  /** What came after a seam that is open. */
  #held: FrameEntry[] = [];
  #heldLength = 0;
  #isDone = false;

  constructor(
    format: Pick<MessageFormat, "done" | "begin" | "pause">,
    start: ResponseStart,
    output: ResponseOutput,
  ) {
    this.#format = format;
    this.#start = start;
    this.#output = output;
  }

  /** How many frames there have been. */
  get count(): number {
    return this.#count;
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** `last` is the seq of the last event of the batch. Entries that were taken before are left out. */
  take(batch: FrameBatch, first: number, last: number): void {
    if (this.#isDone || last <= this.#cursor) return;
    if (batch.isPlain && first > this.#cursor && this.#isFlowing) {
      this.#count += batch.entries.length;
      if (batch.entries.length > 0) this.#output.write(batch.frame);
    } else {
      for (const entry of batch.entries) if (entry.seq > this.#cursor && !this.#isDone) this.#add(entry);
      this.#flush();
    }
    this.#cursor = last;
  }

  /** Everything committed was taken, which shows whether the message waits for a person. `message` is its id. */
  level(message: string): void {
    if (this.#isDone || this.#open.size === 0) return;
    this.#finishAtSeam(message);
  }

  /** There will be nothing more. */
  finish(): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#text += this.#format.done;
    this.#flush();
    this.#output.end();
  }

  get #isFlowing(): boolean {
    const isAtSeam = this.#seam !== undefined || this.#open.size > 0;
    return this.#hasStarted && !isAtSeam && this.#count >= this.#start.frames;
  }

  #add(entry: FrameEntry): void {
    if (entry.mark === "answered") return this.#addAnswer(entry.ask!);
    if (this.#ended < this.#start.segments) {
      if (entry.mark === "seam") this.#reachSeam(entry);
      return;
    }
    if (this.#open.size > 0) return this.#hold(entry);
    this.#give(entry);
  }

  #give(entry: FrameEntry): void {
    if (entry.mark === "seam") {
      this.#seam = entry.text;
      return this.#reachSeam(entry);
    }
    this.#seam = undefined;
    // Only the first one of a response is sent: after a seam the message goes on.
    if (entry.mark === "start" && this.#hasStarted) return;
    this.#hasStarted = true;
    this.#send(entry.text);
    if (entry.mark === "end") this.finish();
  }

  #addAnswer(ask: string): void {
    this.#answered.add(ask);
    if (!this.#open.delete(ask) || this.#open.size > 0) return;
    for (const entry of this.#takeHeld()) this.#add(entry);
  }

  #reachSeam({ ask }: FrameEntry): void {
    this.#ended += 1;
    if (!this.#start.acrossAsks && !this.#answered.has(ask!)) this.#open.add(ask!);
  }

  /** An ask that only joins the step at the seam can be answered along with the first, so it belongs to the response. */
  #hold(entry: FrameEntry): void {
    this.#held.push(entry);
    this.#heldLength += entry.text.length;
    if (entry.mark !== "seam" || this.#held.some(({ mark }) => mark === "step")) return;
    for (const joined of this.#takeHeld()) this.#give(joined);
  }

  #takeHeld(): FrameEntry[] {
    const held = this.#held;
    this.#held = [];
    this.#heldLength = 0;
    return held;
  }

  /** Whether so much came after an open seam that the response has to end there. */
  get isOverfull(): boolean {
    return this.#heldLength > MAX_HELD;
  }

  #finishAtSeam(message: string): void {
    this.#open.clear();
    this.#held = [];
    // The client has everything, but a response needs a beginning.
    if (!this.#hasStarted) this.#send(this.#format.begin(message));
    this.#send(this.#seam ?? this.#format.pause);
    this.finish();
  }

  #send(text: string): void {
    this.#count += 1;
    if (this.#count > this.#start.frames) this.#text += text;
  }

  #flush(): void {
    if (this.#text === "") return;
    const text = this.#text;
    this.#text = "";
    this.#output.writeText(text);
  }
}
