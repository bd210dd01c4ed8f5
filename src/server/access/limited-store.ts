/** What a token reads of the store: sessions it is for. All others are unknown to it. Writing is the engine's. */
import type { SessionRow, Store } from "../../core/store.ts";
import type { AccessCheck } from "./access-check.ts";
import { redactEvent } from "./redact-event.ts";
import type { SessionScope } from "./session-scope.ts";

type Reads = Pick<
  Store,
  | "getSession"
  | "listSessions"
  | "readEvents"
  | "readRaws"
  | "listMessages"
  | "getMessage"
  | "getAsk"
  | "openAsks"
  | "searchMessages"
  | "findKey"
  | "moveKey"
  | "usage"
  | "health"
>;

export function limitedStore(store: Store, check: AccessCheck, scope: SessionScope): Store {
  return new Proxy(readsOf(store, check, scope) as Store, {
    get(own, name) {
      // A promise that resolves with it asks for `then`.
      if (Object.hasOwn(own, name) || typeof name === "symbol" || name === "then")
        return Reflect.get(own, name);
      return () => {
        throw check.refuse("service.operate");
      };
    },
  });
}

function readsOf(store: Store, check: AccessCheck, scope: SessionScope): Reads {
  const { only } = scope;
  const shown = ({ forkedFrom, ...row }: SessionRow): SessionRow => ({
    ...row,
    ...(forkedFrom && scope.coversId(forkedFrom.session) && { forkedFrom }),
  });
  const find = async (session: string) => {
    check.assert("session.read", { session });
    return scope.find(session);
  };
  /** Where nothing but the id is needed to know, the session is not read. One that was found may be another's by now. */
  const isFound = async (session: string) => {
    check.assert("session.read", { session });
    if (!scope.coversId(session)) return false;
    return !scope.namesAgents || (await scope.find(session)) !== undefined;
  };
  return {
    async getSession(session) {
      const row = await find(session);
      return row && shown(row);
    },
    async listSessions(query) {
      check.assert("session.read");
      const page = await store.listSessions({ ...query, only });
      for (const row of page.sessions) scope.covers(row);
      return { ...page, sessions: page.sessions.map(shown) };
    },
    async readEvents(session, after, limit, maxBytes) {
      if (!(await isFound(session))) return { events: [], head: 0 };
      const page = await store.readEvents(session, after, limit, maxBytes);
      return check.has("session.program") ? page : { ...page, events: page.events.map(redactEvent) };
    },
    async readRaws(session, after, limit, maxBytes) {
      if (!(await isFound(session))) return { raws: [], head: 0 };
      check.assert("session.raw", { session });
      return store.readRaws(session, after, limit, maxBytes);
    },
    async listMessages(session, query) {
      if (!(await isFound(session))) return { messages: [], hasMore: false };
      return store.listMessages(session, query);
    },
    async getMessage(session, message) {
      return (await isFound(session)) ? store.getMessage(session, message) : undefined;
    },
    async getAsk(session, ask) {
      return (await isFound(session)) ? store.getAsk(session, ask) : undefined;
    },
    async openAsks(query = {}) {
      check.assert("session.read", { session: query.session });
      return store.openAsks({ ...query, only });
    },
    async searchMessages(query) {
      check.assert("session.read", { session: query.session });
      const page = await store.searchMessages({ ...query, only });
      for (const { session } of page.hits) scope.covers(session);
      return page;
    },
    async findKey(dialect, key) {
      const found = await store.findKey(dialect, key);
      return found && (await find(found.session)) ? found : undefined;
    },
    async moveKey(session, key) {
      await scope.assert(session);
      check.assert("session.settings", { session });
      // A key is shared by all who use the dialect: whoever sees a part of the sessions does not decide for the others.
      if (!scope.isAll) throw check.refuse("session.settings", { session });
      await store.moveKey(session, key);
    },
    async usage(query) {
      check.assert("session.read", { session: query.session });
      return store.usage({ ...query, only });
    },
    health() {
      const { problem, damagedSessions } = store.health();
      return { problem, damagedSessions: damagedSessions.filter((id) => scope.coversId(id)) };
    },
  };
}
