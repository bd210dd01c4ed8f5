/** Rewinds of all sessions: one at a time in each, because a message can be taken back only once. */
import { InterlinguaError } from "../../core/error.ts";
import type { Store } from "../../core/store.ts";
import { KeyedQueue } from "../keyed-queue.ts";
import type { SessionActor } from "../session/session-actor.ts";
import type { PreparedRewind } from "./conversation-rewind.ts";

export class Rewinds {
  readonly #store: Pick<Store, "getMessage">;
  readonly #queue = new KeyedQueue();

  constructor(store: Pick<Store, "getMessage">) {
    this.#store = store;
  }

  /** Takes the conversation back to before a message. */
  run(
    actor: SessionActor,
    before: string,
    by: string,
  ): Promise<{ before: string; agentForgot: boolean; seq: number }> {
    return this.#alone(actor, before, async () => ({ before, ...(await actor.rewind.run(before, by)) }));
  }

  /** Prepares one for what is more than a rewind. There is no other until `work` has ended. */
  prepared<Result>(
    actor: SessionActor,
    before: string,
    by: string,
    work: (rewind: PreparedRewind) => Promise<Result>,
  ): Promise<Result> {
    return this.#alone(actor, before, async () => work(await actor.rewind.prepare(before, by)));
  }

  async #alone<Result>(actor: SessionActor, before: string, work: () => Promise<Result>): Promise<Result> {
    using _loaded = actor.keepLoaded();
    const { id } = actor.state;
    return await this.#queue.run(id, async () => {
      const row = await this.#store.getMessage(id, before);
      if (row?.role === "user" && row.position !== undefined && row.rewoundAt === undefined) return work();
      const detail = `There is no user message "${before}" in the history to rewind to.`;
      throw new InterlinguaError("message_not_found", detail);
    });
  }
}
