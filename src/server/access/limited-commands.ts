/** The commands on sessions, each with its right: of the command itself, and of what its fields ask for. */
import { answerRight, type Right } from "../../core/rights.ts";
import type { CreateSession, Engine, UpdateSession } from "../../engine/engine.ts";
import { askNotFound, sessionNotFound } from "../../protocol/refusals.ts";
import type { Attempt } from "./access-check.ts";
import type { LimitedEngineOptions } from "./limited-engine.ts";
import { shownDetails } from "./limited-reads.ts";
import { withoutNames } from "./without-names.ts";

type Commands = Pick<
  Engine,
  | "createSession"
  | "attach"
  | "updateSession"
  | "deleteSession"
  | "interrupt"
  | "stopTask"
  | "rewind"
  | "fork"
  | "restore"
  | "approve"
  | "reset"
  | "passOn"
  | "reply"
>;

/** What can run programs, or decides which do. */
const PROGRAM_FIELDS: readonly (keyof CreateSession)[] = ["env", "mcpServers", "options", "install"];

export function commandsOnSessions(options: LimitedEngineOptions): Commands {
  const { engine, store, check, scope } = options;

  async function may(right: Right, attempt: Attempt & { session: string }): Promise<void> {
    // Of sessions it is not for a token learns nothing, not even that it lacks the right.
    await scope.assert(attempt.session);
    check.assert(right, attempt);
  }

  /** Others may work in the same directory. */
  function onFiles<Result>(work: Promise<Result>): Promise<Result> {
    return scope.isAll ? work : withoutNames(work);
  }

  /** By the kind of the ask. One that is not committed yet is not there, whatever it will be. */
  async function replyRight(session: string, ask: string): Promise<Right> {
    const row = await store.getAsk(session, ask);
    if (!row) throw askNotFound(ask);
    return answerRight(row.kind);
  }

  return {
    async createSession(request, by) {
      const attempt = { by, session: request.id };
      check.assert("session.create", attempt);
      check.assertFields(request, PROGRAM_FIELDS, "session.program", attempt);
      // An agent is installed for everybody. What `agents.NAME.install` of the config allows needs no right.
      if (request.install === "auto") check.assert("agent.install", { ...attempt, path: "install" });
      scope.assertAgent(request.agent);
      // One without an id would get another one than those the token is for.
      if (request.id === undefined ? scope.namesSessions : !scope.coversId(request.id))
        throw sessionNotFound(request.id ?? "");
      const { session, created } = await check.noted(engine.createSession(request, by), attempt);
      return { session: shownDetails(session, options), created };
    },
    async attach(session, by) {
      await may("session.attach", { by, session });
      return shownDetails(await engine.attach(session, by), options);
    },
    async updateSession(session, change, by) {
      const attempt = { by, session };
      await scope.assert(session);
      const { status, env, ...settings } = change;
      if (status !== undefined) check.assert("session.close", { ...attempt, path: "status" });
      check.assertFields<UpdateSession>({ env }, ["env"], "session.program", attempt);
      if (Object.values(settings).some((value) => value !== undefined) || (!status && !env))
        check.assert("session.settings", attempt);
      const updated = await check.noted(engine.updateSession(session, change, by), attempt);
      return shownDetails(updated, options);
    },
    async deleteSession(session, by) {
      await may("session.delete", { by, session });
      return engine.deleteSession(session, by);
    },
    async interrupt(session, by, turn, hold) {
      await may("session.stop", { by, session });
      return engine.interrupt(session, by, turn, hold);
    },
    async stopTask(session, task, by) {
      await may("session.stop", { by, session });
      return engine.stopTask(session, task, by);
    },
    async rewind(session, before, by) {
      await may("session.rewrite", { by, session });
      return engine.rewind(session, before, by);
    },
    async fork(session, request, by) {
      await may("session.fork", { by, session });
      // The new session would not be one of those the token is for.
      if (scope.namesSessions) throw check.refuse("session.fork", { by, session });
      return shownDetails(await check.noted(engine.fork(session, request, by), { by, session }), options);
    },
    async restore(session, request, by) {
      await may("session.restore", { by, session });
      if (request.conversation) check.assert("session.rewrite", { by, session, path: "conversation" });
      return onFiles(engine.restore(session, request, by));
    },
    async approve(session, by) {
      await may("session.restore", { by, session });
      return onFiles(engine.approve(session, by));
    },
    async reset(session, request, by) {
      await may("session.restore", { by, session });
      if (request.conversation) check.assert("session.rewrite", { by, session, path: "conversation" });
      return onFiles(engine.reset(session, request, by));
    },
    async passOn(session, message, by) {
      // What an agent makes of it nobody knows.
      await may("session.program", { by, session });
      return engine.passOn(session, message, by);
    },
    async reply(session, ask, reply, by, kind) {
      await scope.assert(session);
      check.assert(await replyRight(session, ask), { by, session });
      return engine.reply(session, ask, reply, by, kind);
    },
  };
}
