import type { SessionRow } from "../../core/store.ts";
import { cursorBeyondEnd, invalidField, sessionNotFound } from "../../protocol/refusals.ts";
import { parseVectorCursor } from "../../protocol/vector-cursor.ts";
import { ALREADY_SENT } from "../answers/already-sent.ts";
import { promptParts } from "../bodies/prompt-parts.ts";
import { callerOf } from "../guard/caller.ts";
import type { AppContext, Handlers } from "../mount.ts";
import type { EventStream } from "../streams/event-stream.ts";
import { RawOrigins } from "../streams/raw-origins.ts";
import { streamHeaders } from "../streams/sse-headers.ts";
import { tailPrompt } from "../streams/tail-prompt.ts";
import { type Tail, tailSession } from "../streams/tail-session.ts";
import { tailVector } from "../streams/tail-vector.ts";
import type { HandlerDependencies } from "./index.ts";

type StreamHandlers = Pick<Handlers, "streamEvents" | "streamManyEvents" | "streamFeed" | "streamMessage">;

export function streamHandlers(dependencies: HandlerDependencies): StreamHandlers {
  const { engine, store, files, fanOut, feed, feedReaders, slices, logger } = dependencies;

  /** The stream writes to the socket directly: the framework would frame the bytes again for each reader. */
  function respond(context: AppContext, run: (stream: EventStream) => void): Response {
    if (context.req.method === "HEAD") return context.body(null, 200, streamHeaders());
    const { incoming, outgoing } = context.env;
    run(fanOut.open(incoming, outgoing, callerOf(context), context.get("headers")));
    return ALREADY_SENT;
  }

  async function checkCursor(session: string, after: number): Promise<SessionRow> {
    const row = await store.getSession(session);
    if (!row) throw sessionNotFound(session);
    if (after > row.head) throw cursorBeyondEnd(session, after, row.head);
    if (after < row.head) await fanOut.assertReadable(session, after);
    return row;
  }

  /** Undefined where the raw records are not wanted. */
  function rawsOf(include: "raw" | undefined, row: SessionRow, after: number): Tail["prepare"] {
    if (include === undefined) return undefined;
    // Earlier events may be of an earlier conversation; where a later one begins, an event says so.
    const agentSessionId = after >= row.head ? row.agentSessionId : undefined;
    const origins = new RawOrigins({ store, slices }, row.id, agentSessionId);
    return (slice) => origins.add(slice);
  }

  return {
    async streamEvents({ params, query }, context) {
      const after = lastEventId(context) ?? query.after ?? query.offset ?? 0;
      const row = await checkCursor(params.id, after);
      const { status, head } = row;
      const isClosed = status === "closed";
      // Nothing more will come, and this status makes a browser stop reconnecting.
      if (isClosed && after === head) return context.body(null, 204);
      const prepare = rawsOf(query.include, row, after);
      return respond(context, (stream) =>
        tailSession({ fanOut, stream, logger, prepare }, params.id, after, isClosed),
      );
    },

    async streamManyEvents({ query }, context) {
      const vector = vectorOf(context.req.header("last-event-id") || query.after);
      for (const [session, after] of vector) await checkCursor(session, after);
      return respond(context, (stream) => tailVector({ fanOut, stream, logger }, vector));
    },

    async streamFeed({ query: { reader, watching, after } }, context) {
      if (watching !== undefined && !(await store.getSession(watching))) throw sessionNotFound(watching);
      return respond(context, (stream) => {
        feedReaders.add(stream, reader, watching);
        feed.connect(stream, context.req.header("last-event-id") || after);
      });
    },

    async streamMessage({ params, query, body }, context) {
      const { id, whenBusy, settings } = body;
      const parts = await promptParts(body, files, params.id);
      // A prompt whose stream is then refused would run unseen.
      fanOut.assertRoom();
      const prompt = { id, parts, whenBusy, settings };
      const receipt = await engine.run("prompt", { session: params.id, ...prompt }, callerOf(context));
      const row = query.include && (await store.getSession(params.id));
      const prepare = row && rawsOf(query.include, row, row.head);
      return respond(context, (stream) =>
        tailPrompt({ fanOut, stream, logger, prepare }, params.id, receipt),
      );
    },
  };
}

/** A browser that reconnects sends it beside the cursor its page began with, so it wins. */
function lastEventId(context: AppContext): number | undefined {
  const header = context.req.header("last-event-id");
  if (!header) return undefined;
  if (/^\d{1,15}$/.test(header)) return Number(header);
  throw invalidField("last-event-id", "must be a whole number", "Last-Event-ID must be the seq of an event.");
}

function vectorOf(text: string | undefined): Map<string, number> {
  try {
    return parseVectorCursor(text ?? "");
  } catch (error) {
    const { message } = error as Error;
    throw invalidField("after", message, `Name the sessions like after=a:12,b:40: ${message}.`);
  }
}
