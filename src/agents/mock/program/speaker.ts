/** Says things: blocks of text and calls of tools, at a human pace. It is silenced by its signal. */
import { setImmediate, setTimeout } from "node:timers/promises";
import type { WireEvent } from "../wire.ts";
import { Block } from "./block.ts";
import { Call, type CallDescription } from "./call.ts";
import type { MockSession } from "./session.ts";

export interface Owner {
  /** The call this is said under. */
  readonly under?: string;
  readonly task?: string;
}

interface Manner extends Owner {
  /** Milliseconds between two pieces. */
  readonly every?: number;
}

const WORD_MS = 18;

export class Speaker {
  readonly session: MockSession;
  readonly signal: AbortSignal;
  /** Characters said so far. */
  said = 0;
  thought = 0;

  constructor(session: MockSession, signal: AbortSignal) {
    this.session = session;
    this.signal = signal;
  }

  async emit(event: WireEvent): Promise<void> {
    this.signal.throwIfAborted();
    await this.session.output.send(event);
  }

  async pause(milliseconds: number): Promise<void> {
    const { signal } = this;
    const real = milliseconds * this.session.pace;
    // The event loop must run even without pauses, or requests would never be read.
    await (real === 0 ? setImmediate(undefined, { signal }) : setTimeout(real, undefined, { signal }));
  }

  /** A whole block of text, in the pieces given or word by word. */
  text(content: string | readonly string[], manner: Manner = {}): Promise<void> {
    return this.#say("text", content, manner);
  }

  /** A whole block of thinking aloud. */
  think(content: string | readonly string[], manner: Manner = {}): Promise<void> {
    return this.#say("thinking", content, manner);
  }

  async startBlock(kind: "text" | "thinking", owner: Owner = {}): Promise<Block> {
    const block = new Block(this, this.session.nextId("block"), kind);
    await block.start(owner);
    return block;
  }

  async startCall(tool: string, description: CallDescription): Promise<Call> {
    const call = new Call(this, this.session.nextId("call"), tool, description);
    await call.start();
    return call;
  }

  async #say(kind: "text" | "thinking", content: string | readonly string[], manner: Manner): Promise<void> {
    const { every = WORD_MS, under, task } = manner;
    const pieces = typeof content === "string" ? words(content) : content;
    const block = await this.startBlock(kind, { under, task });
    for (const piece of pieces) {
      await block.say(piece);
      if (every > 0) await this.pause(every);
    }
    await block.finish();
  }
}

/** Two words at a time, with the space that follows them. */
function words(content: string): string[] {
  return content.match(/\s*\S+\s*(\S+\s*)?/g) ?? [];
}
