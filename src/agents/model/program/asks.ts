/** The asks that wait for a person. */
import type { AnswerParams, WireEventOf } from "../wire.ts";

export interface Answer {
  readonly effect: "once" | "always" | "reject";
  readonly option?: string;
  readonly answers: Readonly<Record<string, readonly string[]>>;
  readonly note?: string;
  readonly input?: unknown;
}

export class Asks {
  readonly #open = new Map<string, { ask: WireEventOf<"ask">; resolve: (answer: Answer) => void }>();

  open(ask: WireEventOf<"ask">): Promise<Answer> {
    const { promise, resolve } = Promise.withResolvers<Answer>();
    this.#open.set(ask.ask, { ask, resolve });
    return promise;
  }

  /** False when no such ask is open. */
  answer({ ask: id, option, effect, answers, note, input }: AnswerParams): boolean {
    const open = this.#open.get(id);
    if (!open) return false;
    this.#open.delete(id);
    const chosen = open.ask.options.find((offered) => offered.id === option);
    const meant = chosen?.effect ?? effectOf(effect, open.ask);
    open.resolve({ effect: meant, option: chosen?.id, answers: answers ?? {}, note, input });
    return true;
  }

  /** Gives the ids of what was open. Nobody gets an answer: the turn that asked is over. */
  withdrawAll(): string[] {
    const ids = [...this.#open.keys()];
    this.#open.clear();
    return ids;
  }
}

/** A question has no options, and is answered unless it is declined. */
function effectOf(effect: string | undefined, { kind }: WireEventOf<"ask">): Answer["effect"] {
  if (effect === "once" || effect === "always") return effect;
  return effect === undefined && kind === "question" ? "once" : "reject";
}
