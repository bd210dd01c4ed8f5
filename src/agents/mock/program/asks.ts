/** The asks that wait for a person. */
import type { AnswerParams, WireEventOf, WireMeaning } from "../wire.ts";

export interface Answer {
  readonly meaning: WireMeaning;
  readonly answers: Readonly<Record<string, readonly string[]>>;
  readonly note?: string;
  readonly input?: unknown;
}

export class Asks {
  readonly #open = new Map<string, { ask: WireEventOf<"ask">; resolve: (answer: Answer) => void }>();

  get size(): number {
    return this.#open.size;
  }

  open(ask: WireEventOf<"ask">): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#open.set(ask.ask, { ask, resolve });
    return promise;
  }

  /** False when no such ask is open. */
  answer({ ask: id, option, meaning, answers, note, input }: AnswerParams): boolean {
    const open = this.#open.get(id);
    if (!open) return false;
    this.#open.delete(id);
    const chosen = open.ask.options.find((offered) => offered.id === option);
    open.resolve({ meaning: chosen?.meaning ?? meaning ?? "allow", answers: answers ?? {}, note, input });
    return true;
  }

  /** Gives the ids of what was open. Nobody gets an answer: the turn that asked is over. */
  withdrawAll(): string[] {
    const ids = [...this.#open.keys()];
    this.#open.clear();
    return ids;
  }
}
