import type { promptCommands } from "../../protocol/commands/prompts.ts";
import { acceptPrompt } from "../prompts/accept-prompt.ts";
import { promptToRepeat, rewriteHistory } from "../prompts/rewrite-history.ts";
import type { Implementations } from "./command-parts.ts";

export const prompts: Implementations<keyof typeof promptCommands> = {
  async prompt({ assertReady, services, sessions, prompts }, { session, ...prompt }, caller) {
    assertReady();
    const message = prompt.id ?? services.newId("msg");
    return prompts.run(`${session}\n${message}`, () =>
      acceptPrompt(services, sessions, session, message, { ...prompt, by: caller }),
    );
  },

  async interrupt({ assertOpen, sessions }, { session, turn, hold }, caller) {
    assertOpen();
    const actor = await sessions.get(session);
    const interrupted = await actor.interrupt(caller.name, turn, hold);
    if (!hold) return { interrupted };
    const { queue, queueHeld } = actor.state;
    return { interrupted, held: queue.length > 0 && queueHeld !== undefined };
  },

  async edit(parts, { session, id, parts: content }, caller) {
    return parts.rewrites.run(session, () =>
      rewriteHistory(parts, { session, message: id, parts: content, by: caller }),
    );
  },

  async regenerate(parts, { session, ...target }, caller) {
    return parts.rewrites.run(session, async () => {
      const prompt = await promptToRepeat(parts.services.store, session, target);
      return rewriteHistory(parts, { session, ...prompt, by: caller });
    });
  },

  async rewind({ assertReady, sessions, rewinds }, { session, before }, caller) {
    assertReady();
    const actor = await sessions.get(session);
    await sessions.assertNothingMissing(actor);
    return rewinds.run(actor, before, caller.name);
  },

  async passOn({ assertReady, sessions }, { session, ...message }, caller) {
    assertReady();
    const actor = await sessions.get(session);
    using _prepared = await actor.prepareMask(message.value);
    return await actor.passOn(message, caller.name);
  },
};
