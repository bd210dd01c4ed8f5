/** Answers asks: the first person decides, or the deadline of ask-expiry.ts. */

import type { AskAnswer } from "../../core/ask.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { EventOf } from "../../core/event.ts";
import type { AskReply } from "../../protocol/commands/command-types.ts";
import type { AgentConnection } from "../agent/agent-connection.ts";
import { approvalNotice } from "../prompts/prompt-dispatch.ts";
import type { SecretMask } from "../secrets/secret-mask.ts";
import type { SessionLog } from "../session/session-log.ts";
import type { Timers } from "../session/timers.ts";
import type { TurnWatch } from "../session/turn-watch.ts";
import { answerFor, isSameAnswer, secretAnswers, withoutSecrets } from "./ask-answer.ts";
import { AskExpiry } from "./ask-expiry.ts";
import { answerView } from "./ask-view.ts";

export interface AskResponderOptions {
  log: SessionLog;
  connection: AgentConnection;
  timers: Timers;
  watch: Pick<TurnWatch, "stopping">;
  now(): number;
}

export class AskResponder {
  readonly #log: SessionLog;
  readonly #connection: AgentConnection;
  readonly #expiry: AskExpiry;
  readonly #watch: Pick<TurnWatch, "stopping">;

  constructor({ log, connection, timers, watch, now }: AskResponderOptions) {
    this.#watch = watch;
    this.#log = log;
    this.#connection = connection;
    this.#expiry = new AskExpiry({ log, timers, now, tell: (ask, answer) => this.#tell(ask, answer) });
  }

  /** Hides what is secret. */
  get mask(): Pick<SecretMask, "value"> {
    return this.#connection.mask;
  }

  /** Answers an open ask. False if it is not open (any more): then the store knows how it ended. */
  async reply(ask: string, reply: AskReply, by: string): Promise<boolean> {
    const log = this.#log;
    const open = log.state.asks.get(ask);
    if (!open) return false;
    const answer = answerFor(open.opened, reply);
    const stored = this.storedAnswer(open.opened, reply);
    if (open.answered) {
      await log.durable();
      if (open.answered.expired) return false;
      if (isSameAnswer(open.answered, stored)) return true;
      throw alreadyAnswered(open.answered);
    }
    // The answer goes to the agent in a recorded line, and the agent may repeat it.
    this.#connection.addSecretAnswers(secretAnswers(open.opened, answer));
    const words = answer.message === undefined ? [] : [{ type: "text" as const, text: answer.message }];
    const notice = approvalNotice({ agent: this.#connection.agent, state: log.state }, words);
    log.act((machine) => {
      if (notice) machine.apply(notice);
      machine.answerAsk(ask, stored, by);
    });
    this.#expiry.clear(ask);
    // What was hidden from the person runs as it was.
    this.#tell(ask, { ...answer, input: this.#connection.mask.reveal(answer.input) });
    await log.durable();
    return true;
  }

  /** Sends the agent the answer from the log as soon as it is committed. */
  #tell(ask: string, answer: AskAnswer): void {
    const log = this.#log;
    const { opened, answered } = log.state.asks.get(ask) ?? {};
    if (!opened || !answered) return;
    const { turn } = log.state;
    // Some choices also stop the turn.
    if (turn?.stoppingBy !== undefined) this.#watch.stopping(turn.id);
    const reply = { type: "reply" as const, ask: opened.native ?? ask, ...answer, effect: answered.effect };
    void this.#connection
      .send(reply, log.flush())
      // Later, so that what the agent does with the answer does not wait for the delivery report.
      .then(({ delivered }) => log.actLater((machine) => machine.closeAsk(ask, "answered", delivered)));
  }

  /** An answer as it stands in the log: without what is secret. */
  storedAnswer(opened: EventOf<"ask.opened">, reply: AskReply): AskAnswer {
    return this.#connection.mask.value(withoutSecrets(opened, answerFor(opened, reply)));
  }

  /** Starts the timers of asks with a deadline. */
  watch(): void {
    this.#expiry.watch();
  }
}

export function alreadyAnswered(winner: EventOf<"ask.answered">): InterlinguaError {
  return new InterlinguaError("ask_answered", `${winner.by} answered first; their answer stands.`, {
    answer: answerView(winner),
  });
}
