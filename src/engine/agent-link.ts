/**
 * The link to a running agent: what comes from it is pumped to the session, what goes to it leaves in order, each
 * command only after the event that records it is committed.
 */
import type { AgentOutput, BackendSession } from "../core/adapter.ts";
import type { Command } from "../core/command.ts";

export interface LinkEvents {
  output(output: AgentOutput): void;
  /** The agent is gone, however that came about. Called once. */
  ended(error?: unknown): void;
  /** Something to wait for before more is read. */
  room(): Promise<void> | undefined;
}

/** Whether a command reached the agent, and if not why. */
export type Delivery = { delivered: true } | { delivered: false; error: unknown };

export class AgentLink {
  readonly #session: BackendSession;
  readonly #events: LinkEvents;
  #outbox: Promise<unknown> = Promise.resolve();
  #isOver = false;
  /** Resolves when everything from the agent was handed on and `ended` was called. */
  readonly finished: Promise<void>;

  constructor(session: BackendSession, events: LinkEvents) {
    this.#session = session;
    this.#events = events;
    this.finished = this.#pump();
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends a command after `ready` and after all commands before it. Tells why it could not be delivered, if so. */
  send(command: Command, ready: Promise<void>): Promise<Delivery> {
    const sent = this.#outbox.then(async () => {
      await ready;
      try {
        await this.#session.send(command);
        return { delivered: true as const };
      } catch (error) {
        return { delivered: false as const, error };
      }
    });
    this.#outbox = sent;
    return sent;
  }

  close(options?: { keepChildren?: boolean }): Promise<void> {
    return this.#session.close(options);
  }

  async #pump(): Promise<void> {
    let failure: unknown;
    try {
      for await (const output of this.#session.messages) {
        this.#events.output(output);
        const room = this.#events.room();
        if (room) await room;
      }
    } catch (error) {
      failure = error;
      await this.#session.close();
    }
    this.#isOver = true;
    this.#events.ended(failure);
  }
}
