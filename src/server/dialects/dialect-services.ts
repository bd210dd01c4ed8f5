/** What dialects are given: the server's own parts under the names of the port. */
import type { NodeFiles } from "../../core/node-files.ts";
import type {
  CollectedResponse,
  DialectMount,
  DialectServices,
  MessageStreams,
  Sink,
  WantedMessage,
} from "../../dialects/dialect.ts";
import { sessionNotFound } from "../../protocol/refusals.ts";
import { ANSWER_BYTES, encodePage } from "../answers/answer-page.ts";
import { shownMessages } from "../answers/shown-messages.ts";
import { bodyLimits } from "../bodies/body-limits.ts";
import { parseJsonText } from "../bodies/parse-json-text.ts";
import type { ServerConfig } from "../config.ts";
import type { HandlerDependencies } from "../handlers/index.ts";
import type { ServerLimits } from "../limits.ts";
import { findOpenTurn } from "../streams/find-open-turn.ts";
import { countFrames, segmentsShown } from "../streams/message/measure-message.ts";
import { MessageTracks } from "../streams/message/message-tracks.ts";
import { tailMessage } from "../streams/message/tail-message.ts";
import { RawOrigins } from "../streams/raw-origins.ts";
import type { Tail } from "../streams/tail-session.ts";
import { tailView } from "../streams/tail-view.ts";

export interface DialectDependencies
  extends Pick<
    HandlerDependencies,
    "engine" | "store" | "history" | "slices" | "fanOut" | "presence" | "logger" | "address"
  > {
  files: Pick<NodeFiles, "directory" | "checkParts">;
  config: Pick<ServerConfig, "defaultAgent">;
  mount: DialectMount;
  limits: ServerLimits;
}

export function dialectServices(dependencies: DialectDependencies): DialectServices {
  const { engine, store, history, files, slices, fanOut, presence, logger, config, mount, address } =
    dependencies;
  const { content } = bodyLimits(dependencies.limits);
  return {
    mount,
    engine,
    store,
    history: {
      recordOf: (session, row) => history.recordOf(session, row),
      shown: (session, query) => shownMessages(dependencies, session, query),
    },
    messages: messageStreams(dependencies),
    sessions: {
      follow: (stream, session, options) => tailView({ fanOut, stream, logger }, session, options),
      collect: (session, options, signal) =>
        collect(dependencies, session, signal, (stream) =>
          tailView({ fanOut, stream, logger }, session, options),
        ),
      findOpenTurn: (session, after) => findOpenTurn({ store, slices }, session, after),
    },
    pages: {
      maxBytes: ANSWER_BYTES,
      encode: (entries, encode, maxLength) => encodePage(entries, slices, encode, maxLength),
    },
    presence: {
      of: (session) => presence.of(session),
      follow: (session, listener) => presence.follow(session, listener),
    },
    logger,
    defaultAgent: config.defaultAgent,
    resolveDirectory: (path) => files.directory(path),
    pageLink: (session) => `${address()}/#/sessions/${encodeURIComponent(session)}`,
    checkPrompt: (parts, session) => files.checkParts(session, parts),
    assertRoom: () => fanOut.assertRoom(),
    parseJson: (text) => parseJsonText(text, content),
  };
}

/** Keeps a stream in memory until it is complete. */
async function collect(
  { fanOut, store }: DialectDependencies,
  session: string,
  signal: AbortSignal | undefined,
  run: (stream: Sink) => void,
): Promise<CollectedResponse> {
  signal?.throwIfAborted();
  const stream = fanOut.collect({ maxBytes: ANSWER_BYTES, signal });
  run(stream);
  try {
    return await stream.whole;
  } catch (error) {
    signal?.throwIfAborted();
    if (!(await store.getSession(session))) throw sessionNotFound(session);
    throw error;
  }
}

function messageStreams(dependencies: DialectDependencies): MessageStreams {
  const { store, slices, fanOut, logger } = dependencies;
  const tracks = new MessageTracks();
  const log = { store, slices };
  const rawsOf = ({ session, facts, withRaws }: WantedMessage): Tail["prepare"] => {
    if (!withRaws) return undefined;
    const origins = new RawOrigins(log, session, facts.agentSessionId);
    return (slice) => origins.add(slice);
  };
  return {
    follow: (stream: Sink, wanted, start) =>
      tailMessage({ fanOut, stream, logger, tracks, prepare: rawsOf(wanted) }, wanted, start),
    collect: (wanted, start, signal) =>
      collect(dependencies, wanted.session, signal, (stream) =>
        tailMessage({ fanOut, stream, logger, tracks, prepare: rawsOf(wanted) }, wanted, start),
      ),
    segmentsShown: (wanted, asks) => segmentsShown(log, wanted, asks),
    countFrames: (wanted, segments) => countFrames(log, wanted, segments),
  };
}
