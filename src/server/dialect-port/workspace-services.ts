/** What a dialect is given at a port of its own. Each member is named, so that a new one is thought of here. */
import type { DialectServices, Sink } from "../../dialects/dialect.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import type { AgentsAtWork } from "./agents-at-work.ts";
import { workspaceEngine } from "./workspace-engine.ts";
import type { WorkspaceSessions } from "./workspace-sessions.ts";
import { workspaceStore } from "./workspace-store.ts";

/** The end of a stream that has begun before anybody looked for its session. */
const NOT_FOUND = "there is no such session";

/** The directories of `all` are limited to the workspace already. */
export function workspaceServices(
  all: DialectServices,
  sessions: WorkspaceSessions,
  atWork: AgentsAtWork,
): DialectServices {
  const { history, messages } = all;
  const endWithAsking = (sink: Sink, session: string) =>
    sink.onClose(sessions.watch(session, () => sink.end(NOT_FOUND)));
  async function whileAsking<Result>(
    session: string,
    signal: AbortSignal | undefined,
    collect: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const unasked = new AbortController();
    const unwatch = sessions.watch(session, () => unasked.abort(sessionNotFound(session)));
    return collect(AbortSignal.any([unasked.signal, ...(signal ? [signal] : [])])).finally(unwatch);
  }

  return {
    mount: all.mount,
    engine: workspaceEngine(all.engine, sessions, atWork),
    store: workspaceStore(all.store, sessions),
    history: {
      async recordOf(session, row) {
        await sessions.require(session);
        return history.recordOf(session, row);
      },
      async shown(session, query) {
        await sessions.require(session);
        return history.shown(session, query);
      },
    },
    messages: {
      follow(sink, wanted, start) {
        if (!sessions.wasFound(wanted.session)) return sink.end(NOT_FOUND);
        endWithAsking(sink, wanted.session);
        messages.follow(sink, wanted, start);
      },
      async collect(wanted, start, signal) {
        await sessions.require(wanted.session);
        return whileAsking(wanted.session, signal, (open) => messages.collect(wanted, start, open));
      },
      async segmentsShown(wanted, asks) {
        await sessions.require(wanted.session);
        return messages.segmentsShown(wanted, asks);
      },
      async countFrames(wanted, segments) {
        await sessions.require(wanted.session);
        return messages.countFrames(wanted, segments);
      },
    },
    sessions: {
      follow(sink, session, options) {
        if (!sessions.wasFound(session)) return sink.end(NOT_FOUND);
        endWithAsking(sink, session);
        all.sessions.follow(sink, session, options);
      },
      async collect(session, options, signal) {
        await sessions.require(session);
        return whileAsking(session, signal, (open) => all.sessions.collect(session, options, open));
      },
      async findOpenTurn(session, after) {
        await sessions.require(session);
        return all.sessions.findOpenTurn(session, after);
      },
    },
    pages: all.pages,
    presence: {
      of: (session) => (sessions.wasFound(session) ? all.presence.of(session) : { viewers: [], total: 0 }),
      follow: (session, listener) =>
        sessions.wasFound(session) ? all.presence.follow(session, listener) : () => {},
    },
    logger: all.logger,
    defaultAgent: all.defaultAgent,
    resolveDirectory: (path) => all.resolveDirectory(path),
    pageLink: (session) => all.pageLink(session),
    async checkPrompt(parts, session) {
      await sessions.require(session);
      await all.checkPrompt(parts, session);
    },
    assertRoom: () => all.assertRoom(),
    parseJson: (text) => all.parseJson(text),
  };
}
