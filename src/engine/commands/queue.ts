import type { queueCommands } from "../../protocol/commands/queue.ts";
import { assertMayPrompt } from "../asks/asking-checks.ts";
import {
  changeQueued,
  moveQueued,
  queuedViews,
  sendQueued,
  withdrawQueued,
} from "../prompts/queue-commands.ts";
import type { Implementations } from "./command-parts.ts";

export const queue: Implementations<keyof typeof queueCommands> = {
  async listQueue({ services, sessions }, { session, maxBytes, after }) {
    return queuedViews(await sessions.get(session), maxBytes ?? services.limits.maxQueuedBytes, after);
  },

  async changeQueued({ assertReady, services, sessions }, { session, message, parts }, caller) {
    assertReady();
    const actor = await sessions.get(session);
    await services.assertParts(session, parts);
    using _prepared = await actor.prepareMask(parts);
    return await changeQueued(services.store, actor, message, { parts, by: caller });
  },

  async moveQueued({ assertReady, services, sessions }, { session, message, ...place }, caller) {
    assertReady();
    const actor = await sessions.get(session);
    return moveQueued(services.store, actor, message, { ...place, by: caller.name });
  },

  async sendQueued({ assertReady, services, sessions }, { session, message, checks }, caller) {
    assertReady();
    const actor = await sessions.get(session);
    const sent = await sendQueued(services.store, actor, message, { by: caller, checks });
    return { ...sent, state: sent.state === "steered" ? sent.state : "queued" };
  },

  async withdrawQueued({ assertReady, services, sessions }, { session, message }, caller) {
    assertReady();
    await withdrawQueued(services.store, await sessions.get(session), message, caller.name);
    return undefined;
  },

  async releaseQueue({ assertReady, sessions }, { session }, caller) {
    assertReady();
    const actor = await sessions.get(session);
    assertMayPrompt(caller.access, actor);
    const released = actor.prompts.release(caller.name);
    await actor.log.durable();
    return { released };
  },
};
