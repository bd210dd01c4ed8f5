/**
 * One end of a stream between two nodes. What is written in one turn of the event loop is one write. A peer that takes nothing
 * is forgotten, and so is one that says nothing: whoever reads by it goes on with the store.
 */
import type { Duplex } from "node:stream";
import { errorText } from "../../core/error-text.ts";
import { encodeFrame, FrameDecoder, type PeerFrame } from "./peer-frame.ts";

export interface PeerConnectionOptions {
  onFrame(frame: PeerFrame): void;
  /** Called once. */
  onClose(reason: string): void;
  limits?: Partial<PeerLimits>;
}

export interface PeerLimits {
  beatMs: number;
  /** After this long without a word from the peer, it is gone. */
  silenceMs: number;
  /** What may wait for a peer. */
  maxWaitingBytes: number;
}

export const DEFAULT_PEER_LIMITS: PeerLimits = {
  beatMs: 1000,
  silenceMs: 4000,
  maxWaitingBytes: 4 * 1024 * 1024,
};

const BEAT = encodeFrame("beat");

export class PeerConnection {
  readonly #duplex: Duplex;
  readonly #options: PeerConnectionOptions;
  readonly #limits: PeerLimits;
  readonly #decoder = new FrameDecoder();
  readonly #timer: NodeJS.Timeout;
  #unsent: Buffer[] = [];
  #unsentBytes = 0;
  /** Of the greeting, until it has gone. */
  #greetingBytes = 0;
  #heardAt = performance.now();
  #isOpen = true;

  constructor(duplex: Duplex, options: PeerConnectionOptions) {
    this.#duplex = duplex;
    this.#options = options;
    this.#limits = { ...DEFAULT_PEER_LIMITS, ...options.limits };
    duplex.on("data", (chunk: Buffer) => this.#read(chunk));
    duplex.on("error", (error) => this.close(error.message));
    duplex.on("end", () => this.close("the peer ended it"));
    duplex.on("close", () => this.close("the connection is closed"));
    this.#timer = setInterval(() => this.#beat(), this.#limits.beatMs).unref();
    this.write(BEAT);
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** What the peer has not taken yet. */
  get waitingBytes(): number {
    return this.#unsentBytes + this.#duplex.writableLength;
  }

  /** The bytes may be shared; nobody changes them. */
  write(frame: Buffer): void {
    if (!this.#isOpen) return;
    // First whoever waited for the commit here gets on.
    if (this.#unsent.length === 0) process.nextTick(() => this.#flush());
    this.#unsent.push(frame);
    this.#unsentBytes += frame.length;
    const { maxWaitingBytes } = this.#limits;
    const waiting = this.waitingBytes;
    if (waiting > maxWaitingBytes + this.#greetingBytes) this.close("the peer is too slow");
    else if (waiting <= maxWaitingBytes) this.#greetingBytes = 0;
  }

  /** What a new peer has to know. It may be more than may wait for one otherwise. */
  greet(frames: Iterable<Buffer>): void {
    const all = [...frames];
    for (const frame of all) this.#greetingBytes += frame.length;
    const whole = Buffer.concat(all);
    if (whole.length > 0) this.write(whole);
  }

  /** Idempotent. */
  close(reason: string): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    clearInterval(this.#timer);
    this.#unsent = [];
    this.#unsentBytes = 0;
    this.#duplex.destroy();
    this.#options.onClose(reason);
  }

  #flush(): void {
    const frames = this.#unsent;
    if (frames.length === 0) return;
    this.#unsent = [];
    this.#unsentBytes = 0;
    this.#duplex.write(frames.length === 1 ? frames[0] : Buffer.concat(frames));
  }

  #beat(): void {
    if (performance.now() - this.#heardAt > this.#limits.silenceMs) this.close("the peer is silent");
    else this.write(BEAT);
  }

  #read(chunk: Buffer): void {
    if (!this.#isOpen) return;
    this.#heardAt = performance.now();
    try {
      for (const frame of this.#decoder.push(chunk)) {
        if (frame.kind !== "beat") this.#options.onFrame(frame);
        if (!this.#isOpen) return;
      }
    } catch (error) {
      this.close(errorText(error));
    }
  }
}
