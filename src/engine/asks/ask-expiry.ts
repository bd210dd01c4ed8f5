/** The deadline of asks: how one gets it, the alarm, and the refusal when nobody answered. */
import type { AskAnswer } from "../../core/ask.ts";
import { DAEMON_NAME } from "../../core/built-in-names.ts";
import type { Draft } from "../../core/draft.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { Timers } from "../session/timers.ts";
import { answerFor } from "./ask-answer.ts";

/** An ask without its own deadline gets the configured one. */
export function withDeadline(draft: Draft, askTimeoutMs: number, now: () => number): Draft {
  if (draft.type !== "ask.opened" || draft.expiresAt !== undefined || askTimeoutMs === 0) return draft;
  return { ...draft, expiresAt: now() + askTimeoutMs };
}

export interface AskExpiryOptions {
  log: SessionLog;
  timers: Timers;
  now(): number;
  /** Sends the agent the answer, which is in the log. */
  tell(ask: string, answer: AskAnswer): void;
}

export class AskExpiry {
  readonly #options: AskExpiryOptions;

  constructor(options: AskExpiryOptions) {
    this.#options = options;
  }

  /** Starts the timers of asks with a deadline. */
  watch(): void {
    const { log, timers, now } = this.#options;
    for (const [ask, { opened, answered }] of log.state.asks) {
      if (opened.expiresAt === undefined || answered) continue;
      const left = Math.max(1, opened.expiresAt - now());
      timers.set(alarmOf(ask), left, () => this.#expire(ask));
    }
  }

  /** The ask was answered. */
  clear(ask: string): void {
    this.#options.timers.clear(alarmOf(ask));
  }

  /** Nobody answered in time: the daemon answers no. */
  #expire(ask: string): void {
    const { log, tell } = this.#options;
    const open = log.state.asks.get(ask);
    if (!open || open.answered) return;
    // An ask that offers no refusal is declined all the same.
    const asked = { ...open.opened, kind: "question" as const };
    const decline = answerFor(asked, { reply: "reject", message: "Nobody answered in time." });
    log.act((machine) => machine.answerAsk(ask, decline, DAEMON_NAME, true));
    tell(ask, decline);
  }
}

function alarmOf(ask: string): string {
  return `ask ${ask}`;
}
