import type { askCommands } from "../../protocol/commands/asks.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import { askView } from "../asks/ask-view.ts";
import { replyToAsk } from "../asks/reply-to-ask.ts";
import type { Implementations } from "./command-parts.ts";

export const asks: Implementations<keyof typeof askCommands> = {
  async listAsks({ services: { store } }, query) {
    const { session } = query;
    if (session !== undefined && !(await store.getSession(session))) throw sessionNotFound(session);
    const { asks, cursor } = await store.openAsks(query);
    return { asks: asks.map((row) => askView(row.session, row)), cursor };
  },

  async replyToAsk({ assertReady, services, sessions }, { session, ask, kind, ...reply }, caller) {
    assertReady();
    const actor = await sessions.get(session);
    using _prepared = await actor.prepareMask(reply);
    return await replyToAsk(services.store, actor, { ask, reply, by: caller, kind });
  },
};
