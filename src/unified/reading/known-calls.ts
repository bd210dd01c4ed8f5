/** The calls a foreign agent has told of, so that each is begun once, gets its input once, and is settled once. */
import type { Draft } from "../../core/draft.ts";
import { isRecord } from "../../core/is-record.ts";
import type { Metadata } from "./metadata.ts";

/** How many are remembered: the oldest settled ones are forgotten first. */
const MAX_CALLS = 2000;

interface KnownCall {
  hasInput: boolean;
  isSettled: boolean;
}

/** Where a piece of content belongs. */
export interface Origin {
  parent?: string;
  task?: string;
}

export class KnownCalls {
  readonly #calls = new Map<string, KnownCall>();

  /** Begins a call that nobody has told of. */
  start(call: string, name: string | undefined, origin: Origin): Draft[] {
    if (this.#calls.has(call)) return [];
    this.#add(call);
    return [{ type: "tool.start", call, name: name ?? "tool", ...origin }];
  }

  /** Begins it if need be, with its input if that is not known yet. */
  whole(call: string, name: string | undefined, input: Metadata | undefined, origin: Origin): Draft[] {
    const begun = this.start(call, name, origin);
    const known = this.#calls.get(call);
    // An empty one says nothing about a call that began before.
    const isNews = begun.length > 0 || (input !== undefined && Object.keys(input).length > 0);
    if (!isNews || !known || known.hasInput) return begun;
    return [...begun, ...this.input(call, input, origin)];
  }

  /** Its input, or a later one. */
  input(call: string, input: Metadata | undefined, origin: Origin): Draft[] {
    const known = this.#calls.get(call);
    if (!known || known.isSettled || !isRecord(input)) return [];
    known.hasInput = true;
    return [{ type: "tool.input", call, input, ...origin }];
  }

  hasInput(call: string): boolean {
    return this.#calls.get(call)?.hasInput === true;
  }

  /** False where it was settled before. */
  settle(call: string): boolean {
    const known = this.#calls.get(call);
    if (!known || known.isSettled) return false;
    known.isSettled = true;
    return true;
  }

  isSettled(call: string): boolean {
    return this.#calls.get(call)?.isSettled === true;
  }

  #add(call: string): void {
    if (this.#calls.size >= MAX_CALLS) {
      const settled = [...this.#calls].find(([, { isSettled }]) => isSettled) ?? [...this.#calls][0]!;
      this.#calls.delete(settled[0]);
    }
    this.#calls.set(call, { hasInput: false, isSettled: false });
  }
}
