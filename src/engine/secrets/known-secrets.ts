/**
 * The secret values that a session has had in this process, in memory only and longer than any actor: its agent may have written
 * any of them into files of its own, also one that was replaced since.
 */
import { SHORTEST_SECRET } from "./secret-mask.ts";

type NamedValue = readonly [name: string, value: string];

/** Finding more than this takes too long. */
const MAX_VALUES = 1000;

export class KnownSecrets {
  readonly #values = new Map<string, NamedValue>();
  /** Those of the session that this one is a copy of: its agent copies what the other's has written. */
  readonly #origin: KnownSecrets | undefined;
  #isComplete: boolean;
  #hasUnmaskable = false;
  /** The newest event when the session was last dropped here. */
  #head: number | undefined;

  /** Complete for a session that was just created: nobody else has given it any. */
  constructor({ isComplete, origin }: { isComplete: boolean; origin?: KnownSecrets }) {
    this.#isComplete = isComplete;
    this.#origin = origin;
  }

  /** The older ones first. */
  get values(): readonly NamedValue[] {
    return [...(this.#origin?.values ?? []), ...this.#values.values()];
  }

  /** Whether the session never had any that is not known here. */
  get isComplete(): boolean {
    return this.#isComplete && (this.#origin?.isComplete ?? true);
  }

  /** Whether it had one that cannot be found in what its agent writes. */
  get hasUnmaskable(): boolean {
    return this.#hasUnmaskable || (this.#origin?.hasUnmaskable ?? false);
  }

  get isEmpty(): boolean {
    return this.#values.size === 0 && !this.#hasUnmaskable && (this.#origin?.isEmpty ?? true);
  }

  add(values: Iterable<NamedValue>): void {
    for (const [name, value] of values) {
      if (value.length < SHORTEST_SECRET) continue;
      const key = JSON.stringify([name, value]);
      // The newest comes last, also when it was there before.
      this.#values.delete(key);
      this.#values.set(key, [name, value]);
    }
    for (const key of this.#values.keys()) {
      if (this.#values.size <= MAX_VALUES) break;
      this.#values.delete(key);
      this.#hasUnmaskable = true;
    }
  }

  addAnswers(answers: readonly NamedValue[]): void {
    this.add(answers);
    if (answers.some(([, value]) => value !== "" && value.length < SHORTEST_SECRET))
      this.#hasUnmaskable = true;
  }

  /** The session is dropped from memory, at this event. */
  dropped(head: number): void {
    this.#head = head;
  }

  /** It was read again: where the log went on, another node had it meanwhile. */
  loaded(head: number): void {
    if (head !== this.#head) this.#isComplete = false;
  }
}
