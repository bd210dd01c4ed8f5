/** Prompts, and what becomes of those that wait. Everybody who may prompt may change their own. */
import type { Principal } from "../../core/principal.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import type { Engine, QueueChecks } from "../../engine/engine.ts";
import { messageNotFound, messageNotQueued, sessionNotFound } from "../../protocol/refusals.ts";
import type { LimitedEngineOptions } from "./limited-engine.ts";

type QueueCommands = Pick<
  Engine,
  | "prompt"
  | "edit"
  | "regenerate"
  | "changeQueued"
  | "moveQueued"
  | "sendQueued"
  | "withdrawQueued"
  | "releaseQueue"
>;

export function queueCommands({ engine, store, files, check, scope }: LimitedEngineOptions): QueueCommands {
  /** Whether it waits and came with this token. Undefined if it does not wait. */
  async function isOwn(session: string, message: string): Promise<boolean | undefined> {
    const waiting = (await engine.queue(session, 0)).find((queued) => queued.message === message);
    return waiting && waiting.author === check.access.token;
  }

  async function assertMayChange(session: string, message: string, by: Principal): Promise<void> {
    await scope.assert(session);
    check.assert("queue.own", { by, session });
    if (check.has("queue.any")) return;
    const own = await isOwn(session, message);
    if (own === false) throw check.refuse("queue.any", { by, session });
    // It could begin to wait again, and be somebody else's.
    if (own === undefined)
      throw (await store.getMessage(session, message)) ? messageNotQueued(message) : messageNotFound(message);
  }

  /** One's own prompts can be put in any order. Getting ahead of those of others changes what becomes of them. */
  const checks: QueueChecks = { access: check.access };

  const noted = <Result>(work: Promise<Result>, by: Principal, session: string) =>
    check.noted(work, { by, session });

  /** Whoever is let into one session gets no files of other directories by it. */
  async function assertFiles(session: string, parts: readonly PromptPart[]): Promise<void> {
    if (!scope.namesSessions || parts.every(({ type }) => type === "text")) return;
    const row = await store.getSession(session);
    if (!row) throw sessionNotFound(session);
    await files.checkParts(session, parts, row.cwd);
  }

  return {
    async prompt(session, prompt, by) {
      await scope.assert(session);
      check.assert("session.prompt", { by, session });
      const { settings } = prompt;
      if (settings && Object.keys(settings).length > 0)
        check.assert("session.settings", { by, session, path: "settings" });
      await assertFiles(session, prompt.parts);
      return noted(engine.prompt(session, prompt, by, checks), by, session);
    },
    async edit(session, { id, parts }, by) {
      await scope.assert(session);
      check.assert("session.prompt", { by, session });
      await assertFiles(session, parts);
      if (check.has("session.rewrite")) return noted(engine.edit(session, { id, parts }, by), by, session);
      if (await isOwn(session, id)) {
        const { message, seq } = await noted(engine.changeQueued(session, id, parts, by), by, session);
        return { message, state: "queued", seq };
      }
      if (await store.getMessage(session, id)) throw check.refuse("session.rewrite", { by, session });
      return noted(engine.prompt(session, { id, parts, whenBusy: "queue" }, by, checks), by, session);
    },
    async regenerate(session, target, by) {
      await scope.assert(session);
      check.assert("session.rewrite", { by, session });
      if (target.prompt) await assertFiles(session, target.prompt.parts);
      return noted(engine.regenerate(session, target, by), by, session);
    },
    async changeQueued(session, message, parts, by) {
      await assertMayChange(session, message, by);
      await assertFiles(session, parts);
      return noted(engine.changeQueued(session, message, parts, by), by, session);
    },
    async moveQueued(session, message, before, by) {
      await assertMayChange(session, message, by);
      return noted(engine.moveQueued(session, message, before, by, checks), by, session);
    },
    async sendQueued(session, message, by) {
      await assertMayChange(session, message, by);
      return noted(engine.sendQueued(session, message, by, checks), by, session);
    },
    async withdrawQueued(session, message, by) {
      await assertMayChange(session, message, by);
      return engine.withdrawQueued(session, message, by);
    },
    /** A prompt of theirs would let them go on, too. */
    async releaseQueue(session, by) {
      await scope.assert(session);
      check.assert("session.prompt", { by, session });
      return noted(engine.releaseQueue(session, by), by, session);
    },
  };
}
