/** What the handlers of `/v1` are given for one token. */
import type { HandlerDependencies } from "../handlers/index.ts";
import { FeedReaders } from "../people/feed-readers.ts";
import type { AccessCheck } from "./access-check.ts";
import { limitedEngine } from "./limited-engine.ts";
import { limitedStore } from "./limited-store.ts";
import { limitedStreams } from "./limited-streams.ts";
import type { SessionScope } from "./session-scope.ts";

export function limitedDependencies<Given extends HandlerDependencies>(
  all: Given,
  check: AccessCheck,
  scope: SessionScope,
): Given {
  const { history } = all;
  const store = limitedStore(all.store, check, scope);
  const engine = limitedEngine({ engine: all.engine, store: all.store, files: all.files, check, scope });
  const presence = limitedPresence(all.presence, scope);
  const fanOut = limitedStreams(all.fanOut, scope);
  return {
    ...all,
    engine,
    store,
    presence,
    fanOut,
    files: limitedFiles(all.files, check, scope),
    // Who sees all sessions shares the work.
    feed: scope.isAll ? all.feed : all.feed.limited({ engine, store, presence }),
    feedReaders: scope.isAll ? all.feedReaders : new FeedReaders(fanOut),
    history: {
      async recordOf(session, row) {
        await scope.assert(session);
        return history.recordOf(session, row);
      },
      async rawsOf(session, row) {
        await scope.assert(session);
        check.assert("session.raw", { session });
        return history.rawsOf(session, row);
      },
      async endOfTurn(session, turn, after) {
        await scope.assert(session);
        return history.endOfTurn(session, turn, after);
      },
    },
    may: (right) => check.has(right),
  };
}

function limitedFiles(
  files: HandlerDependencies["files"],
  check: AccessCheck,
  scope: SessionScope,
): HandlerDependencies["files"] {
  return {
    directory: (path, opened) => files.directory(path, opened),
    async directoryFor(session, path, isOpened) {
      await scope.assert(session);
      check.assert("session.fork", { session });
      return files.directoryFor(session, path, isOpened);
    },
    async checkParts(session, parts, within) {
      await scope.assert(session);
      return files.checkParts(session, parts, within);
    },
    async listDirectories(query) {
      check.assert("session.create");
      // It makes no sessions but those it is for, so it needs to know no other directories.
      if (scope.namesSessions) throw check.refuse("session.create");
      return files.listDirectories(query);
    },
    async findFiles(options) {
      const { session } = options;
      await scope.assert(session);
      check.assert("session.prompt", { session });
      return files.findFiles(options);
    },
  };
}

function limitedPresence(
  presence: HandlerDependencies["presence"],
  scope: SessionScope,
): HandlerDependencies["presence"] {
  return {
    of: (session) => (scope.wasFound(session) ? presence.of(session) : { viewers: [], total: 0 }),
    *sessions() {
      for (const session of presence.sessions()) if (scope.wasFound(session)) yield session;
    },
    follow: (session, listener) => (scope.wasFound(session) ? presence.follow(session, listener) : () => {}),
    followAll: (listener) =>
      presence.followAll((session) => {
        if (scope.wasFound(session)) listener(session);
      }),
  };
}
