/** What a dialect is given for one token. Each member is named, so that a new one is thought of here. */
import type { Store } from "../../core/store.ts";
import type { DialectServices, WantedMessage } from "../../dialects/dialect.ts";
import type { AccessCheck } from "./access-check.ts";
import { type LimitedEngineOptions, limitedEngine } from "./limited-engine.ts";
import { limitedStore } from "./limited-store.ts";
import type { SessionScope } from "./session-scope.ts";

/** The end of a stream that has begun before anybody looked for its session. */
const NOT_FOUND = "there is no such session";
const FORBIDDEN = "raw records are not for this token";

export function limitedServices(
  all: DialectServices,
  { store, files }: Pick<LimitedEngineOptions, "files"> & { store: Store },
  check: AccessCheck,
  scope: SessionScope,
): DialectServices {
  const { history, messages } = all;
  async function assertReadable({ session, withRaws }: Pick<WantedMessage, "session" | "withRaws">) {
    await scope.assert(session);
    check.assert("session.read", { session });
    if (withRaws) check.assert("session.raw", { session });
  }
  return {
    mount: all.mount,
    engine: limitedEngine({ engine: all.engine, store, files, check, scope }),
    store: limitedStore(store, check, scope),
    history: {
      async recordOf(session, row) {
        await assertReadable({ session });
        return history.recordOf(session, row);
      },
      async shown(session, query) {
        await assertReadable({ session });
        return history.shown(session, query);
      },
    },
    messages: {
      follow(sink, wanted, start) {
        if (!scope.wasFound(wanted.session)) return sink.end(NOT_FOUND);
        if (wanted.withRaws && !check.has("session.raw")) return sink.end(FORBIDDEN);
        messages.follow(sink, wanted, start);
      },
      async collect(wanted, start, signal) {
        await assertReadable(wanted);
        return messages.collect(wanted, start, signal);
      },
      async segmentsShown(wanted, asks) {
        await assertReadable(wanted);
        return messages.segmentsShown(wanted, asks);
      },
      async countFrames(wanted, segments) {
        await assertReadable(wanted);
        return messages.countFrames(wanted, segments);
      },
    },
    sessions: {
      follow(sink, session, options) {
        if (!scope.wasFound(session)) return sink.end(NOT_FOUND);
        all.sessions.follow(sink, session, options);
      },
      async collect(session, options, signal) {
        await assertReadable({ session });
        return all.sessions.collect(session, options, signal);
      },
      async findOpenTurn(session, after) {
        await assertReadable({ session });
        return all.sessions.findOpenTurn(session, after);
      },
    },
    pages: all.pages,
    presence: {
      of: (session) => (scope.wasFound(session) ? all.presence.of(session) : { viewers: [], total: 0 }),
      follow: (session, listener) =>
        scope.wasFound(session) ? all.presence.follow(session, listener) : () => {},
    },
    logger: all.logger,
    defaultAgent: all.defaultAgent,
    resolveDirectory: (path) => all.resolveDirectory(path),
    pageLink: (session) => all.pageLink(session),
    async checkPrompt(parts, session) {
      if (!scope.coversId(session)) await scope.assert(session);
      await all.checkPrompt(parts, session);
    },
    assertRoom: () => all.assertRoom(),
    parseJson: (text) => all.parseJson(text),
  };
}
