/**
 * The mailbox of a running agent: passes its output to the session, and sends commands in order, each only after the event
 * that records it is committed.
 */
import type { AgentOutput, BackendSession, MessagePassing } from "../../core/adapter.ts";
import type { Command } from "../../core/command.ts";

export interface MailboxEvents {
  /** Nothing more is read until what it returns has resolved. */
  output(output: AgentOutput): Promise<void> | undefined;
  /** Everything was read. Awaited before `ended`. */
  ending(): Promise<void> | undefined;
  /** The agent is gone, for whatever reason. Called once. */
  ended(error?: unknown): void;
  /** The agent could not be ended. */
  trouble(error: unknown): void;
  /** Awaited before more is read. */
  room(): Promise<void> | undefined;
}

/** Whether a command reached the agent, and if not why. */
export type Delivery = { delivered: true } | { delivered: false; error: unknown };

const NOT_WANTED: Delivery = { delivered: false, error: new Error("it is too late for it") };

export class AgentMailbox {
  readonly #session: BackendSession;
  readonly #events: MailboxEvents;
  #outbox: Promise<unknown> = Promise.resolve();
  #isOver = false;
  #isClosing = false;
  /** Resolves when everything from the agent was handed on and `ended` was called. */
  readonly finished: Promise<void>;

  constructor(session: BackendSession, events: MailboxEvents) {
    this.#session = session;
    this.#events = events;
    // An error in the listener ends this agent only.
    this.finished = this.#pump().catch((error) => events.trouble(error));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends a command after `ready` and after all commands before it, if it is wanted then. Never rejects. */
  send(command: Command, ready: Promise<void>, isWanted = () => true): Promise<Delivery> {
    const turn = Promise.all([this.#outbox, ready]);
    const sent = turn.then<Delivery, Delivery>(
      () => (isWanted() ? this.#send(command) : NOT_WANTED),
      // Nothing is sent that is not in the log.
      (error) => ({ delivered: false, error }),
    );
    // A change of settings waits for the agent's answer. What follows does not: it may be a stop.
    this.#outbox = command.type === "configure" ? turn.catch(() => {}) : sent;
    return sent;
  }

  /** False if the agent does not speak the protocol, or is gone. */
  passOn(message: unknown): boolean {
    const session: BackendSession & Partial<MessagePassing> = this.#session;
    if (this.#isOver || !session.sendUnified) return false;
    try {
      session.sendUnified(message);
      return true;
    } catch (error) {
      this.#events.trouble(error);
      return false;
    }
  }

  /** False if the agent could not be ended: the session goes on all the same. */
  async close(options?: { keepChildren?: boolean }): Promise<boolean> {
    this.#isClosing = true;
    try {
      await this.#session.close(options);
      return true;
    } catch (error) {
      this.#events.trouble(error);
      return false;
    }
  }

  async #send(command: Command): Promise<Delivery> {
    try {
      await this.#session.send(command);
      return { delivered: true };
    } catch (error) {
      return { delivered: false, error };
    }
  }

  async #pump(): Promise<void> {
    let failure: unknown;
    try {
      for await (const outputs of this.#session.batches ?? oneByOne(this.#session.messages)) {
        for (const output of outputs) {
          if (this.#isOver) return;
          const taken = this.#events.output(output);
          if (taken) await taken;
        }
        const room = this.#events.room();
        if (room) await room;
      }
    } catch (error) {
      failure = error;
      await this.close();
    }
    const ending = this.#events.ending();
    if (ending) await ending;
    this.end(failure);
    // An agent that died by itself leaves its running commands behind. After one that we ended there are none.
    if (!this.#isClosing) await this.close();
  }

  /** Stops reading the agent. Idempotent. */
  end(failure?: unknown): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.ended(failure);
  }
}

async function* oneByOne(messages: AsyncIterable<AgentOutput>): AsyncGenerator<readonly AgentOutput[], void> {
  for await (const output of messages) yield [output];
}
