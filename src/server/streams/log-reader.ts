/**
 * One cursor on one log. While it is up to date it takes each batch as it is committed. If its output cannot keep up,
 * it stops taking them and reads from the log once there is room. Replay and live tail are the same code.
 */
import type { LogSlice } from "./log-slice.ts";
import type { SessionChannel } from "./session-channel.ts";

export interface LogOutput {
  /** While true nothing is sent. Call `LogReader.resume` when it turns false. */
  readonly isFull: boolean;
  send(slice: LogSlice): void;
  /** Everything committed so far was sent. */
  onLevel?(): void;
  /** The session was deleted: there will be nothing more. */
  onDeleted(): void;
  /** The log could not be read. */
  onError(error: unknown): void;
}

export class LogReader {
  readonly #channel: SessionChannel;
  readonly #output: LogOutput;
  #cursor: number;
  #isLevel = false;
  #isReading = false;
  #isStopped = false;

  /** Sends everything after `cursor`, from `start` on. */
  constructor(channel: SessionChannel, cursor: number, output: LogOutput) {
    this.#channel = channel;
    this.#cursor = cursor;
    this.#output = output;
    channel.add(this);
  }

  start(): void {
    this.#read();
  }

  /** The seq of the last event sent. */
  get cursor(): number {
    return this.#cursor;
  }

  get isLevel(): boolean {
    return this.#isLevel;
  }

  /** Called by the channel with what was just committed. A fault of the output costs this reader alone. */
  take(slices: readonly LogSlice[]): void {
    if (!this.#isLevel) return;
    try {
      this.#sendAll(slices);
    } catch (error) {
      this.#fail(error);
    }
  }

  #sendAll(slices: readonly LogSlice[]): void {
    for (const slice of slices) {
      // The last read may have seen the commit before its notification came.
      if (slice.last <= this.#cursor) continue;
      if (slice.first !== this.#cursor + 1 || this.#output.isFull) return this.#fallBehind();
      this.#send(slice);
      if (this.#isStopped) return;
    }
    this.#output.onLevel?.();
  }

  /** The output has room again. */
  resume(): void {
    if (!this.#isLevel) this.#read();
  }

  deleted(): void {
    if (this.#isStopped) return;
    this.#endWith(() => this.#output.onDeleted());
  }

  /** The log has become shorter: whoever reads it has to begin anew. */
  cutShort(error: unknown): void {
    if (!this.#isStopped) this.#fail(error);
  }

  /** Idempotent. */
  stop(): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#isLevel = false;
    this.#channel.remove(this);
  }

  #send(slice: LogSlice): void {
    this.#cursor = slice.last;
    this.#output.send(slice);
  }

  #fallBehind(): void {
    this.#isLevel = false;
    this.#channel.counters.fellBehind += 1;
    // Not if the output is full: then nobody would call `resume`.
    if (!this.#output.isFull) this.#read();
  }

  async #read(): Promise<void> {
    if (this.#isReading || this.#isStopped) return;
    this.#isReading = true;
    try {
      while (!this.#isStopped && !this.#output.isFull) {
        if (this.#cursor >= this.#channel.head) {
          this.#isLevel = true;
          this.#output.onLevel?.();
          return;
        }
        const slice = this.#channel.recent(this.#cursor) ?? (await this.#channel.read(this.#cursor));
        // Readers share a page, so all of them continue in the turn of the event loop in which it was read.
        const pause = this.#channel.pause();
        if (pause) await pause;
        // While the page was read another reader may have filled the output they share; it is read again then.
        if (this.#isStopped || this.#output.isFull) return;
        if (slice) this.#send(slice);
      }
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isReading = false;
    }
  }

  #fail(error: unknown): void {
    if (!this.#isStopped) this.#endWith(() => this.#output.onError(error));
  }

  /** The last call of the output. What it throws must not reach the other readers. */
  #endWith(tell: () => void): void {
    try {
      this.stop();
      tell();
    } catch (error) {
      this.#channel.noteFault(error);
    }
  }
}
