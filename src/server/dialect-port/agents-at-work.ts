/**
 * How many agents work for a port at once. It has a share of its own of those the daemon may run, so that whoever uses it
 * without a token cannot take them all.
 */
import { InterlinguaError } from "../../core/error.ts";
import type { SessionRow, Store } from "../../core/store.ts";

export class AgentsAtWork {
  readonly #store: Pick<Store, "getSession">;
  readonly #max: number;
  /** Those that were prompted here and may still be at work. */
  readonly #sessions = new Set<string>();
  /** Those whose prompt is being taken. Their rows do not show it yet. */
  readonly #starting = new Map<string, number>();

  constructor(store: Pick<Store, "getSession">, max: number) {
    this.#store = store;
    this.#max = max;
  }

  /** Throws `too_many_sessions` if the session would be one too many. */
  async during<Result>(session: string, prompt: () => Promise<Result>): Promise<Result> {
    if (!this.#sessions.has(session) && this.#sessions.size >= this.#max) await this.#forgetIdle();
    if (!this.#sessions.has(session) && this.#sessions.size >= this.#max)
      throw new InterlinguaError(
        "too_many_sessions",
        `${this.#max} agents are at work for this port, which is its share. Wait for one, or stop one.`,
        { retryAfterSeconds: 10 },
      );
    this.#sessions.add(session);
    this.#starting.set(session, (this.#starting.get(session) ?? 0) + 1);
    try {
      return await prompt();
    } finally {
      const others = this.#starting.get(session)! - 1;
      if (others > 0) this.#starting.set(session, others);
      else this.#starting.delete(session);
    }
  }

  async #forgetIdle(): Promise<void> {
    for (const session of [...this.#sessions]) {
      const row = await this.#store.getSession(session);
      if (!isAtWork(row) && !this.#starting.has(session)) this.#sessions.delete(session);
    }
  }
}

function isAtWork(row: SessionRow | undefined): boolean {
  return row !== undefined && ["running", "waiting", "recovering"].includes(row.status);
}
