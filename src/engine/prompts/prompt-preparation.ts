/**
 * Which prompt a session's daemon prepares: from the moment it begins to work for it until the agent may get it. The store
 * knows it too, so that the next daemon can tell a prompt that kills daemons from one that only waited when a daemon died.
 *
 * A prompt that a daemon died with is retried alone, in these states of `PromptRetry`:
 *   `recovered`   `recoverSession` called `begin` with the prompt and its deaths.
 *   `waiting`     The prompt is the next one: `enter` was called. It waits in the `RetryLine` that all sessions share.
 *   `announced`   The prompt has left the line, and the mark in the store is being written.
 *   `ready`       The mark is durable: the prompt is prepared. `end` follows when the agent gets it.
 */
import type { SessionFacts } from "../../core/next-step.ts";
import type { PromptPreparation } from "../../core/store.ts";
import type { Services } from "../engine-services.ts";
import type { SessionLog } from "../session/session-log.ts";

/** So many daemons in a row may die while they prepare a prompt. Then it is held. */
export const MAX_PREPARATION_DEATHS = 2;

/** A prompt that is retried after a death keeps the others waiting no longer than this. */
const RETRY_LIMIT_MS = 30_000;

/** How many daemons in a row have died while they prepared the prompt, as far as the store knows. */
export function countDeaths(
  { preparing, claim }: Pick<SessionLog, "claim"> & { preparing: PromptPreparation },
  { daemon, run }: Services["identity"],
  lostNode: string | undefined,
): number {
  // This process has given up the session and read it again.
  if (preparing.run === run) return preparing.deaths;
  // Among several nodes the one that prepared it may live and have given up the session.
  const isDead = !claim || lostNode !== undefined || preparing.daemon === daemon;
  return isDead ? preparing.deaths + 1 : 0;
}

/** Starts a timer, and returns a function that cancels it. */
export type SetTimer = (act: () => void, milliseconds: number) => () => void;

/** A prompt in the line may be prepared. */
export interface RetryPlace {
  /** Whether no other prompt is being retried. Only then does the next death count for this one. */
  readonly isAlone: boolean;
  leave(): void;
}

/**
 * Prompts that a daemon died with are retried one at a time, over all sessions. If a daemon dies again, the cause is known.
 * After a time limit the next prompt goes on beside the one that is still there, without its count of deaths.
 */
export class RetryLine {
  readonly #setTimer: SetTimer;
  #last: Promise<void> = Promise.resolve();
  /** How many prompts have entered and not left. */
  #entered = 0;

  constructor(setTimer: SetTimer = startTimer) {
    this.#setTimer = setTimer;
  }

  /** Resolves when the caller may prepare its prompt. */
  async enter(): Promise<RetryPlace> {
    const before = this.#last;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#last = promise;
    await before;
    const isAlone = this.#entered === 0;
    this.#entered += 1;
    const cancel = this.#setTimer(resolve, RETRY_LIMIT_MS);
    const leave = () => {
      this.#entered -= 1;
      cancel();
      resolve();
    };
    return { isAlone, leave };
  }
}

function startTimer(act: () => void, milliseconds: number): () => void {
  const timer = setTimeout(act, milliseconds).unref();
  return () => clearTimeout(timer);
}

export interface PromptRetryOptions {
  services: Pick<Services, "retries" | "commit">;
  /** Called when `announced` or `stateOf` may have changed by itself. */
  changed(): void;
}

/** The prompt of one session that a daemon has died with. */
export class PromptRetry {
  readonly #options: PromptRetryOptions;
  #prompt: { readonly message: string; readonly deaths: number } | undefined;
  #state: "recovered" | "waiting" | "announced" | "ready" = "recovered";
  #place: RetryPlace | undefined;

  constructor(options: PromptRetryOptions) {
    this.#options = options;
  }

  begin(message: string, deaths: number): void {
    this.#prompt = { message, deaths };
  }

  /** For the mark of the prompt. Without a place of its own a prompt has no count: another one may be the cause. */
  deathsOf(message: string): number {
    return this.#prompt?.message === message && this.#place?.isAlone ? this.#prompt.deaths : 0;
  }

  /** The prompt that is about to be prepared, while its mark is being written. */
  get announced(): string | undefined {
    return this.#state === "announced" ? this.#prompt?.message : undefined;
  }

  stateOf(message: string | undefined): SessionFacts["retry"] {
    if (this.#prompt === undefined || this.#prompt.message !== message || this.#state === "ready")
      return "none";
    return this.#state === "recovered" ? "due" : "waiting";
  }

  /** The prompt waits until it may be prepared. */
  async enter(): Promise<void> {
    const { services, changed } = this.#options;
    const prompt = this.#prompt;
    this.#state = "waiting";
    const place = await services.retries.enter();
    if (this.#prompt !== prompt) return place.leave();
    this.#place = place;
    // Durable before it begins: it may kill this daemon at once.
    this.#state = "announced";
    changed();
    await services.commit.settled();
    if (this.#prompt !== prompt) return;
    this.#state = "ready";
    changed();
  }

  /** The agent gets the prompt, or it will not be prepared any more. */
  end(): void {
    this.#prompt = undefined;
    this.#state = "recovered";
    this.#place?.leave();
    this.#place = undefined;
  }

  /** Ends unless this prompt may still be prepared. */
  endUnless(isWaiting: (message: string) => boolean): void {
    if (this.#prompt && !isWaiting(this.#prompt.message)) this.end();
  }
}
