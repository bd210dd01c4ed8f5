/** What a token reads of the engine. */
import type { AskQuery } from "../../core/store.ts";
import type { Engine, SessionDetails } from "../../engine/engine.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import type { LimitedEngineOptions } from "./limited-engine.ts";
import { withoutNames } from "./without-names.ts";

type FeedChange = Parameters<Parameters<Engine["followAll"]>[0]>[0];

type Reads = Pick<
  Engine,
  | "agents"
  | "agent"
  | "install"
  | "getSession"
  | "checkpoints"
  | "changes"
  | "checkpointUsage"
  | "collectGarbage"
  | "queue"
  | "tasks"
  | "openAsks"
  | "listAsks"
  | "follow"
  | "followAll"
  | "health"
  | "stats"
>;

export function limitedReads({ engine, check, scope }: LimitedEngineOptions): Reads {
  async function listAsks(query: AskQuery) {
    check.assert("session.read", { session: query.session });
    if (query.session !== undefined) await scope.assert(query.session);
    return engine.listAsks({ ...query, only: scope.only });
  }

  return {
    agents() {
      check.assert("service.read");
      return engine.agents().filter(({ name }) => scope.coversAgent(name));
    },
    async agent(name) {
      check.assert("service.read");
      scope.assertAgent(name);
      return engine.agent(name);
    },
    async install(name, by, onProgress) {
      check.assert("agent.install", { by });
      return engine.install(name, by, onProgress);
    },
    async getSession(session) {
      check.assert("session.read", { session });
      await scope.assert(session);
      return shownDetails(await engine.getSession(session), { check, scope });
    },
    async checkpoints(session) {
      check.assert("session.read", { session });
      await scope.assert(session);
      return engine.checkpoints(session);
    },
    async changes(session, query) {
      check.assert("session.read", { session });
      await scope.assert(session);
      const changes = engine.changes(session, query);
      return scope.isAll ? changes : withoutNames(changes);
    },
    async checkpointUsage() {
      check.assert("service.operate");
      return engine.checkpointUsage();
    },
    async collectGarbage() {
      check.assert("service.operate");
      return engine.collectGarbage();
    },
    async queue(session, maxBytes, after) {
      check.assert("session.read", { session });
      await scope.assert(session);
      return engine.queue(session, maxBytes, after);
    },
    async tasks(session) {
      check.assert("session.read", { session });
      await scope.assert(session);
      return engine.tasks(session);
    },
    openAsks: async (session) => (await listAsks({ session })).asks,
    listAsks,
    follow(session, listener, onDeleted, onCutShort) {
      check.assert("session.read", { session });
      if (!scope.wasFound(session)) throw sessionNotFound(session);
      return engine.follow(session, listener, onDeleted, onCutShort);
    },
    followAll(listener, onGap) {
      check.assert("session.read");
      return engine.followAll((change, events) => {
        const { session } = change;
        const isShown =
          "deleted" in change ? scope.wasFound(session) : scope.covers({ id: session, agent: change.agent });
        if (isShown) listener(shownChange(change, scope), events);
      }, onGap);
    },
    health: () => engine.health(),
    stats() {
      check.assert("service.operate");
      return engine.stats();
    },
  };
}

/** A copy of a session that the token does not know has no origin. */
function shownChange(change: FeedChange, scope: Pick<LimitedEngineOptions["scope"], "coversId">): FeedChange {
  if ("deleted" in change || !change.forkedFrom || scope.coversId(change.forkedFrom.session)) return change;
  const { forkedFrom: _, ...shown } = change;
  return shown;
}

/** Without what was chosen by those who may, and without the names of other sessions. */
export function shownDetails(
  { env, ...details }: SessionDetails,
  { check, scope }: Pick<LimitedEngineOptions, "check" | "scope">,
): SessionDetails {
  const { forks, forkedFrom, ...rest } = details;
  const shownForks = forks?.filter((id) => scope.coversId(id));
  return {
    ...rest,
    ...(env && check.has("session.program") && { env }),
    ...(shownForks && shownForks.length > 0 && { forks: shownForks }),
    ...(forkedFrom && scope.coversId(forkedFrom.session) && { forkedFrom }),
  };
}
