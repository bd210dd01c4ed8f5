/** The ids a recorded client chose, and those the client of today chose in their place. */
import { isRecord } from "../../core/is-record.ts";
import type { Message } from "./line-kind.ts";

const ID_KEY = /(^id|Id|_id|uuid)s?$/;

/**
 * Learns from pairs of lines, and puts the new ids into what the agent said. A string is an id where its key says
 * so. A number is one only as the `id` of a request and of the answer to it: elsewhere it may mean anything.
 */
export class IdMap {
  readonly #furtherKeys: ReadonlySet<string>;
  readonly #strings = new Map<string, string>();
  readonly #numbers = new Map<number, unknown>();

  /** `furtherKeys` hold ids although their names do not say so. */
  constructor(furtherKeys: readonly string[] = []) {
    this.#furtherKeys = new Set(furtherKeys);
  }

  /** The client sent `today` where the recording has `recorded`. */
  learn(recorded: Message, today: Message): void {
    if (typeof recorded.id === "number" && "method" in recorded) this.#numbers.set(recorded.id, today.id);
    this.#compare(recorded, today);
  }

  apply(message: Message): Message {
    const mapped = this.#map(message) as Message;
    const isAnswer = typeof message.id === "number" && !("method" in message);
    if (!isAnswer || !this.#numbers.has(message.id as number)) return mapped;
    return { ...mapped, id: this.#numbers.get(message.id as number) };
  }

  get isEmpty(): boolean {
    return this.#strings.size === 0 && this.#numbers.size === 0;
  }

  #compare(recorded: Message, today: Message): void {
    for (const [key, before] of Object.entries(recorded)) {
      const now = today[key];
      if (isRecord(before) && isRecord(now)) this.#compare(before, now);
      else if (typeof before !== "string" || typeof now !== "string" || before === now) continue;
      else if (this.#isIdKey(key)) this.#strings.set(before, now);
    }
  }

  #map(value: unknown, key = ""): unknown {
    if (typeof value === "string") return this.#isIdKey(key) ? (this.#strings.get(value) ?? value) : value;
    if (Array.isArray(value)) return value.map((item) => this.#map(item, key));
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#map(item, name)]));
  }

  #isIdKey(key: string): boolean {
    return ID_KEY.test(key) || this.#furtherKeys.has(key);
  }
}
