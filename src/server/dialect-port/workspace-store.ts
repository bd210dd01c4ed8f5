/** What a port reads of the store: sessions of its workspace. All others are unknown there. */
import type { ListQuery, SessionRow } from "../../core/store.ts";
import type { DialectServices } from "../../dialects/dialect.ts";
import type { WorkspaceSessions } from "./workspace-sessions.ts";

type Reads = DialectServices["store"];

export function workspaceStore(store: Reads, sessions: WorkspaceSessions): Reads {
  return {
    getSession: (session) => sessions.find(session),
    listSessions: (query) => listSessions(store, sessions, query),
    async getMessage(session, message) {
      if (await sessions.find(session)) return store.getMessage(session, message);
      return undefined;
    },
    async listMessages(session, query) {
      if (await sessions.find(session)) return store.listMessages(session, query);
      return { messages: [], hasMore: false };
    },
    async findKey(dialect, key) {
      const found = await store.findKey(dialect, key);
      return found && (await sessions.find(found.session)) ? found : undefined;
    },
    async moveKey(session, key) {
      await sessions.require(session);
      await store.moveKey(session, key);
    },
  };
}

/** A page may be short of sessions whose directory was replaced by a link to somewhere else. */
async function listSessions(
  store: Reads,
  sessions: WorkspaceSessions,
  query: ListQuery,
): ReturnType<Reads["listSessions"]> {
  const page = await store.listSessions({ ...query, inside: sessions.workspace });
  const own: SessionRow[] = [];
  for (const row of page.sessions) if (await sessions.holds(row)) own.push(row);
  return { ...page, sessions: own };
}
