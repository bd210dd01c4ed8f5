import { agentNameOf } from "../../core/agent-alias.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { SessionDetails } from "../../protocol/commands/command-types.ts";
import type { sessionCommands } from "../../protocol/commands/sessions.ts";
import { assertMayChange, assertMayCreate } from "../asks/asking-checks.ts";
import { makeFork } from "../forks/make-fork.ts";
import { assertAgentPossible } from "../prompts/accept-prompt.ts";
import { createSession } from "../session/create-session.ts";
import { deleteSession } from "../session/delete-session.ts";
import type { SessionActor } from "../session/session-actor.ts";
import { sessionDetails } from "../session/session-details.ts";
import type { CommandParts, Implementations } from "./command-parts.ts";

export const sessions: Implementations<keyof typeof sessionCommands> = {
  async createSession(parts, request, caller) {
    parts.assertReady();
    const { services, sessions, agents, lives, run } = parts;
    const id = request.id ?? services.newId("ses");
    return lives.run(id, async () => {
      const agent = agentNameOf(request.agent);
      assertMayCreate(caller.access, agents.get(agent), request);
      const settings = await agents.settle(agent, request);
      const named = { ...request, agent };
      const actor = await createSession(services, sessions, id, named, { settings, by: caller.name });
      if (actor) return { session: await detailsOf(parts, actor), created: true };
      const { env } = request;
      if (env) await run("updateSession", { session: id, env }, caller);
      return { session: await run("getSession", { session: id }, caller), created: false };
    });
  },

  async getSession(parts, { session }) {
    return detailsOf(parts, await parts.sessions.get(session));
  },

  async attachSession(parts, { session }) {
    parts.assertReady();
    const { services, sessions } = parts;
    const actor = await sessions.get(session);
    await assertAgentPossible(services, sessions, actor);
    try {
      await actor.attach();
    } catch (error) {
      parts.assertOpen();
      throw error;
    }
    return detailsOf(parts, actor);
  },

  async detachSession(parts, { session }) {
    parts.assertReady();
    const actor = await parts.sessions.get(session);
    if (!actor.needsAgent) {
      if (!actor.isIdle) throw agentBusy();
      await actor.rest();
      await actor.log.durable();
    }
    return detailsOf(parts, actor);
  },

  async updateSession(parts, { session, ...change }, caller) {
    if (change.status === "closed") parts.assertOpen();
    else parts.assertReady();
    const { sessions, agents } = parts;
    const actor = await sessions.get(session);
    assertMayChange(caller.access, actor, change);
    await actor.update(change, caller.name, () => agents.settle(actor.state.agent, change));
    if (change.env) sessions.addEnvironment(session, change.env);
    if (actor.state.closed) sessions.forgetEnvironment(session);
    return detailsOf(parts, actor);
  },

  async deleteSession(parts, { session }) {
    parts.assertOpen();
    const { services, sessions, lives, garbage } = parts;
    await lives.run(session, () => deleteSession(services, sessions, session));
    garbage?.soon();
    return undefined;
  },

  async forkSession(parts, { session, ...request }, caller) {
    parts.assertReady();
    const { services, sessions, history, lives } = parts;
    const origin = await sessions.get(session);
    await sessions.assertNothingMissing(origin);
    using _loaded = origin.keepLoaded();
    const id = request.id ?? services.newId("ses");
    const from = { origin, checkpoints: () => history.checkpoints(session) };
    return await lives.run(id, async () => {
      const fork = await makeFork(services, sessions, from, { ...request, id, by: caller });
      return detailsOf(parts, fork);
    });
  },
};

function agentBusy(): InterlinguaError {
  return new InterlinguaError(
    "session_busy",
    "The agent is at work. Interrupt its turn, or wait until it is idle.",
  );
}

function detailsOf({ services, agents }: CommandParts, actor: SessionActor): Promise<SessionDetails> {
  return sessionDetails(services, actor, agents.declaredModes(actor.state.agent));
}
