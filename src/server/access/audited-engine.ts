/** The engine with a note of each command that was done, whoever gave it. Every method is named, so that a new one is thought of here. */
import type { Principal } from "../../core/principal.ts";
import { answerRight, type Right } from "../../core/rights.ts";
import type { Engine, UpdateSession } from "../../engine/engine.ts";
import type { AuditSink } from "../people/audit-sink.ts";

/** `now` gives milliseconds since the epoch. */
export function auditedEngine(engine: Engine, sink: AuditSink, now: () => number = Date.now): Engine {
  function entry(by: Principal, action: Right, session?: string, detail?: string) {
    const { token, role } = by.access;
    return {
      at: now(),
      by: by.name,
      role,
      dialect: by.dialect,
      action,
      outcome: "done" as const,
      ...(token !== undefined && { token }),
      ...(session !== undefined && { session }),
      ...(detail !== undefined && { detail }),
    };
  }

  async function noted<Result>(
    work: Promise<Result>,
    by: Principal,
    action: Right,
    session: string,
    detail?: string,
  ): Promise<Result> {
    const result = await work;
    sink.note(entry(by, action, session, detail));
    return result;
  }

  return {
    agents: () => engine.agents(),
    agent: (name) => engine.agent(name),
    getSession: (session) => engine.getSession(session),
    checkpoints: (session) => engine.checkpoints(session),
    changes: (session, query) => engine.changes(session, query),
    checkpointUsage: () => engine.checkpointUsage(),
    collectGarbage: () => engine.collectGarbage(),
    queue: (session, maxBytes, after) => engine.queue(session, maxBytes, after),
    tasks: (session) => engine.tasks(session),
    openAsks: (session) => engine.openAsks(session),
    listAsks: (query) => engine.listAsks(query),
    follow: (session, listener, onDeleted, onCutShort) =>
      engine.follow(session, listener, onDeleted, onCutShort),
    followAll: (listener, onGap) => engine.followAll(listener, onGap),
    health: () => engine.health(),
    stats: () => engine.stats(),
    close: () => engine.close(),

    async install(name, by, onProgress) {
      const installed = await engine.install(name, by, onProgress);
      sink.note(entry(by, "agent.install", undefined, name));
      return installed;
    },
    async createSession(request, by) {
      const made = await engine.createSession(request, by);
      if (made.created) sink.note(entry(by, "session.create", made.session.id));
      return made;
    },
    attach: (session, by) => noted(engine.attach(session, by), by, "session.attach", session),
    updateSession: (session, change, by) =>
      noted(
        engine.updateSession(session, change, by),
        by,
        rightOf(change),
        session,
        Object.keys(change).join(", "),
      ),
    async deleteSession(session, by) {
      await engine.deleteSession(session, by);
      await sink.write(entry(by, "session.delete", session));
    },
    prompt: (session, prompt, by, checks) =>
      noted(engine.prompt(session, prompt, by, checks), by, "session.prompt", session),
    interrupt: (session, by, turn, hold) =>
      noted(
        engine.interrupt(session, by, turn, hold),
        by,
        "session.stop",
        session,
        hold ? "hold" : undefined,
      ),
    edit: (session, prompt, by) => noted(engine.edit(session, prompt, by), by, "session.rewrite", session),
    regenerate: (session, target, by) =>
      noted(engine.regenerate(session, target, by), by, "session.rewrite", session),
    rewind: (session, before, by) =>
      noted(engine.rewind(session, before, by), by, "session.rewrite", session),
    async fork(session, request, by) {
      const made = await engine.fork(session, request, by);
      sink.note(entry(by, "session.fork", session, made.id));
      return made;
    },
    restore: (session, request, by) =>
      request.preview
        ? engine.restore(session, request, by)
        : noted(engine.restore(session, request, by), by, "session.restore", session),
    approve: (session, by) => noted(engine.approve(session, by), by, "session.restore", session, "approve"),
    reset: (session, request, by) =>
      request.preview
        ? engine.reset(session, request, by)
        : noted(engine.reset(session, request, by), by, "session.restore", session, "reset"),
    changeQueued: (session, message, parts, by) =>
      noted(engine.changeQueued(session, message, parts, by), by, "queue.own", session, message),
    moveQueued: (session, message, before, by, checks) =>
      noted(engine.moveQueued(session, message, before, by, checks), by, "queue.own", session, message),
    sendQueued: (session, message, by, checks) =>
      noted(engine.sendQueued(session, message, by, checks), by, "queue.own", session, message),
    stopTask: (session, task, by) =>
      noted(engine.stopTask(session, task, by), by, "session.stop", session, task),
    withdrawQueued: (session, message, by) =>
      noted(engine.withdrawQueued(session, message, by), by, "queue.own", session, message),
    releaseQueue: (session, by) =>
      noted(engine.releaseQueue(session, by), by, "session.prompt", session, "release"),
    passOn: (session, message, by) =>
      noted(engine.passOn(session, message, by), by, "session.program", session, "unknown message"),
    async reply(session, ask, reply, by, kind) {
      const view = await engine.reply(session, ask, reply, by, kind);
      sink.note(entry(by, answerRight(view.kind), session, ask));
      return view;
    },
  };
}

/** The most that a change needs. */
function rightOf({ status, env, permissionMode }: UpdateSession): Right {
  if (permissionMode === "bypass") return "session.bypass";
  if (env) return "session.program";
  return status === "closed" ? "session.close" : "session.settings";
}
