/** What the log says of a node that is told to go: what it waits for, and that it is done. */
import type { SessionState } from "../../core/session-state.ts";
import type { EngineLogger } from "../engine-services.ts";

/** What is under way in a session. */
export type DrainedState = Pick<SessionState, "id" | "turn" | "asks" | "tasks">;

/** How many sessions are named. */
const MAX_NAMED = 5;

/** Between two lines about what has changed meanwhile. */
const PAUSE_MS = 10_000;

export class DrainReport {
  readonly #logger: Pick<EngineLogger, "info" | "warn">;
  readonly #limit: string;
  #told: string | undefined;
  #toldAt = 0;
  #hasGivenUp = false;

  constructor(logger: Pick<EngineLogger, "info" | "warn">, limitMs: number) {
    this.#logger = logger;
    this.#limit = `${Math.round(limitMs / 1000)} s`;
  }

  /** Those that cannot leave yet. Called again and again: says what has changed, and not too often. */
  waitFor(states: readonly DrainedState[]): void {
    const text = describe(states);
    const isEarly = this.#told !== undefined && performance.now() - this.#toldAt < PAUSE_MS;
    if (text === undefined || text === this.#told || isEarly) return;
    this.#told = text;
    this.#toldAt = performance.now();
    const sessions = states.slice(0, MAX_NAMED).map(({ id }) => id);
    this.#logger.info({ sessions }, `draining: ${text}; at most ${this.#limit}`);
  }

  /** They took too long. */
  giveUp(): void {
    if (!this.#hasGivenUp)
      this.#logger.warn({}, `draining: turns that took longer than ${this.#limit} are interrupted`);
    this.#hasGivenUp = true;
  }

  end(): void {
    this.#logger.info({}, "drained: no session is left at this node");
  }
}

/** `1 turn, 2 open asks`; undefined where nothing is waited for. */
function describe(states: readonly DrainedState[]): string | undefined {
  if (states.length === 0) return undefined;
  const sum = (count: (state: DrainedState) => number) => states.reduce((all, each) => all + count(each), 0);
  const counts = [
    [sum(({ turn }) => (turn ? 1 : 0)), "turn"],
    [sum(({ asks }) => [...asks.values()].filter(({ answered }) => !answered).length), "open ask"],
    [sum(({ tasks }) => [...tasks.values()].filter(({ implicit }) => !implicit).length), "task"],
  ] as const;
  const parts = counts.flatMap(([count, name]) =>
    count > 0 ? [`${count} ${name}${count > 1 ? "s" : ""}`] : [],
  );
  // Something that takes a moment, such as a checkpoint.
  return parts.length > 0 ? parts.join(", ") : undefined;
}
