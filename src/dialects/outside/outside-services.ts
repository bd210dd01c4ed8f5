/** What the server gives a dialect from outside: the port, for its own keys only, with its functions called as its code. */
import { isRecord } from "../../core/is-record.ts";
import type { Engine } from "../../engine/engine.ts";
import type { DialectServices } from "../dialect.ts";
import type { ModuleCalls } from "./module-calls.ts";
import { ownSink } from "./outside-sink.ts";
import { outsideFollow, outsideWanted } from "./outside-view.ts";

export function outsideServices(all: DialectServices, calls: ModuleCalls): DialectServices {
  const { store, history, messages, sessions, presence } = all;
  const leave = <Result>(action: () => Result) => calls.leave(action);
  return {
    mount: all.mount,
    engine: outsideEngine(all.engine, calls),
    store: {
      getSession: (id) => leave(() => store.getSession(id)),
      listSessions: (query) => leave(() => store.listSessions(query)),
      getMessage: (session, message) => leave(() => store.getMessage(session, message)),
      listMessages: (session, query) => leave(() => store.listMessages(session, query)),
      // Keys of other dialects are theirs.
      findKey: (_, key) => leave(() => store.findKey(calls.dialect, key)),
      moveKey: (session, key) => leave(() => store.moveKey(session, { ...key, dialect: calls.dialect })),
    },
    history: {
      recordOf: (session, row) => leave(() => history.recordOf(session, row)),
      shown: (session, query) => leave(() => history.shown(session, query)),
    },
    messages: {
      follow: (sink, wanted, start) =>
        leave(() => messages.follow(ownSink(sink), outsideWanted(wanted, calls), start)),
      collect: (wanted, start, signal) =>
        leave(() => messages.collect(outsideWanted(wanted, calls), start, signal)),
      segmentsShown: (wanted, asks) =>
        leave(() => messages.segmentsShown(outsideWanted(wanted, calls), asks)),
      countFrames: (wanted, segments) =>
        leave(() => messages.countFrames(outsideWanted(wanted, calls), segments)),
    },
    sessions: {
      follow: (sink, session, options) =>
        leave(() => sessions.follow(ownSink(sink), session, outsideFollow(options, calls))),
      collect: (session, options, signal) =>
        leave(() => sessions.collect(session, outsideFollow(options, calls), signal)),
      findOpenTurn: (session, after) => leave(() => sessions.findOpenTurn(session, after)),
    },
    // It calls functions of the module in between.
    pages: all.pages,
    presence: {
      of: (session) => presence.of(session),
      follow: (session, listener) => leave(() => presence.follow(session, calls.listener(listener))),
    },
    logger: all.logger,
    defaultAgent: all.defaultAgent,
    resolveDirectory: (path) => leave(() => all.resolveDirectory(path)),
    pageLink: (session) => all.pageLink(session),
    checkPrompt: (parts, session) => leave(() => all.checkPrompt(parts, session)),
    assertRoom: () => all.assertRoom(),
    parseJson: (text) => all.parseJson(text),
  };
}

function outsideEngine(engine: Engine, calls: ModuleCalls): Engine {
  return new Proxy(engine, {
    get(own, name) {
      const method: unknown = Reflect.get(own, name);
      if (typeof method !== "function") return method;
      // The daemon closes it.
      if (name === "close") return undefined;
      return (...given: unknown[]) => {
        const args = given.map((value) => withListeners(value, calls));
        return calls.leave(() => Reflect.apply(method, own, args));
      };
    },
  });
}

/** Functions of the module, also those in the input of a command, are called as its own. */
function withListeners(value: unknown, calls: ModuleCalls): unknown {
  const shielded = (given: unknown) =>
    typeof given === "function" ? calls.listener(given as () => unknown) : given;
  if (!isRecord(value) || !Object.values(value).some((field) => typeof field === "function"))
    return shielded(value);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, shielded(field)]));
}
