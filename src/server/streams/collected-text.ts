/** A stream that is kept in memory, for answers that are sent whole. */
import type { SharedFrame, SharedFrames } from "../../dialects/dialect.ts";
import { CloseListeners } from "./close-listeners.ts";
import type { OpenStream } from "./open-stream.ts";

export interface CollectOptions {
  /** Once it has so much, it ends. */
  maxBytes: number;
  /** Ends it early. Not aborted yet. */
  signal?: AbortSignal;
  /** The error of a stream that is cut off. */
  cutOff(reason: string): Error;
}

export class CollectedText implements OpenStream {
  readonly isFull = false;
  /** Nothing waits for a client. */
  readonly queuedBytes = 0;
  /** Rejects if it was cut off. */
  readonly whole: Promise<{ text: string; isCut: boolean }>;
  readonly #settle: PromiseWithResolvers<{ text: string; isCut: boolean }> = Promise.withResolvers();
  readonly #options: CollectOptions;
  readonly #onClose = new CloseListeners();
  readonly #texts: string[] = [];
  #bytes = 0;
  #isOpen = true;

  constructor(options: CollectOptions) {
    this.#options = options;
    this.whole = this.#settle.promise;
    const { signal } = options;
    if (!signal) return;
    const abort = () => this.#close(() => this.#settle.reject(signal.reason));
    signal.addEventListener("abort", abort);
    this.onClose(() => signal.removeEventListener("abort", abort));
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  write(frame: SharedFrame): void {
    this.writeText(frame.plain.toString());
  }

  writeText(text: string): void {
    if (!this.#isOpen) return;
    this.#texts.push(text);
    this.#bytes += Buffer.byteLength(text);
    if (this.#bytes > this.#options.maxBytes) this.#finish(true);
  }

  writeFrames({ joined }: SharedFrames): void {
    this.write(joined);
  }

  /** There is no connection that could be taken for dead. */
  keepAlive(): void {}

  onDrain(): () => void {
    return () => {};
  }

  onClose(listener: () => void): () => void {
    return this.#onClose.add(listener);
  }

  end(reason?: string): void {
    if (reason === undefined) this.#finish(false);
    else this.#close(() => this.#settle.reject(this.#options.cutOff(reason)));
  }

  #finish(isCut: boolean): void {
    this.#close(() => this.#settle.resolve({ text: this.#texts.join(""), isCut }));
  }

  #close(settle: () => void): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    settle();
    this.#onClose.close();
  }
}
