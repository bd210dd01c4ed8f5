/** The agent's own ids of asks: in the log a long id is shortened, and the agent gets its own back with the answer. */
import { MAX_ID_LENGTH, shortId } from "../../core/short-id.ts";

/** A longer id is not kept: its ask can be shown, but not answered. */
const MAX_LENGTH = 64 * 1024;
const MAX_KEPT = 100;

export class AskIds {
  /** By the id in the log. */
  readonly #long = new Map<string, string>();

  note(ask: string): void {
    if (ask.length <= MAX_ID_LENGTH || ask.length > MAX_LENGTH) return;
    if (this.#long.size >= MAX_KEPT) this.#long.delete(this.#long.keys().next().value!);
    this.#long.set(shortId(ask), ask);
  }

  /** The agent's own id. */
  native(ask: string): string {
    return this.#long.get(ask) ?? ask;
  }

  clear(): void {
    this.#long.clear();
  }
}
