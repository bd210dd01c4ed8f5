import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { SessionRow } from "../../core/store.ts";
import { chatIntent } from "../../dialects/ai-sdk/inbound.ts";
import { DONE_FRAME, toSseFrame, UI_MESSAGE_STREAM_HEADERS } from "../../dialects/ai-sdk/sse.ts";
import type { ChatRequest } from "../../protocol/schemas/chat.ts";
import { clientName } from "../client-name.ts";
import type { AppContext, Handlers } from "../mount.ts";
import { promptParts } from "../prompt-parts.ts";
import { countChunks, segmentsShown } from "../streams/chat/measure-message.ts";
import { MessageTracks } from "../streams/chat/message-tracks.ts";
import { tailMessage } from "../streams/chat/tail-message.ts";
import { giveAnswers } from "./chat-answers.ts";
import { rewrite } from "./chat-rewrite.ts";
import { type ChatRun, formatRun, parseRun } from "./chat-run.ts";
import { chatSession } from "./chat-session.ts";
import type { HandlerDependencies } from "./index.ts";

type ChatHandlers = Pick<Handlers, "sendChat" | "streamChat" | "stopChat">;
type ToolParts = "static" | "dynamic";

interface Place {
  run: ChatRun;
  /** The seq of an event before the message, or of its first. */
  from: number;
}

export function chatHandlers(dependencies: HandlerDependencies): ChatHandlers {
  const { engine, store, roots, fanOut, logger, slices } = dependencies;
  const log = { store, slices };
  const tracks = new MessageTracks();

  /** Does what the request wants and tells which response it gets, and from which event on that is to be found. */
  async function act(session: string, body: ChatRequest, by: string): Promise<Place | undefined> {
    const intent = chatIntent(body);
    if (intent.type === "answer") {
      const { message } = await giveAnswers(engine, session, intent.answers, by);
      const row = message === undefined ? undefined : await store.getMessage(session, message);
      // Background work asked, which writes no message.
      if (!row) return undefined;
      const place = { session, message: row.id, from: row.firstSeq };
      const segments = await segmentsShown(log, place, intent.shown);
      return { run: { session, message: row.id, segments }, from: row.firstSeq };
    }
    if ("parts" in intent) await promptParts(intent, roots);
    await chatSession(dependencies, session, body);
    const { message, seq } =
      intent.type === "prompt"
        ? await engine.prompt(session, { ...intent, whenBusy: body.whenBusy })
        : await rewrite(dependencies, session, intent, by);
    return { run: { session, message, segments: 0 }, from: seq };
  }

  /** The message that is being written, unless a person is asked. */
  async function streaming(session: SessionRow): Promise<string | undefined> {
    const { messages } = await store.listMessages(session.id, { limit: 10, withoutRecords: true });
    const row = messages.findLast(({ state }) => state === "streaming");
    if (!row) return undefined;
    const asks = await engine.openAsks(session.id);
    return asks.some(({ turn }) => turn !== undefined) ? undefined : row.id;
  }

  async function respond(
    context: AppContext,
    run: ChatRun,
    options: { from: number; toolParts?: ToolParts; startIndex?: number },
  ): Promise<Response> {
    const { from, toolParts = "static", startIndex = 0 } = options;
    const { agent, agentSessionId } = (await store.getSession(run.session)) ?? {};
    const facts = { agent, agentSessionId };
    const wanted = { ...run, from, toolParts, facts };
    const headers: Record<string, string> = { "x-workflow-run-id": formatRun(run) };
    let chunks = startIndex;
    if (startIndex < 0) {
      const count = await countChunks(log, wanted, run.segments);
      headers["x-workflow-stream-tail-index"] = String(count - 1);
      chunks = Math.max(0, count + startIndex);
    }
    if (context.req.method === "HEAD")
      return context.body(null, 200, { ...UI_MESSAGE_STREAM_HEADERS, ...headers });
    const { incoming, outgoing } = context.env;
    const stream = fanOut.open(
      incoming,
      outgoing,
      { ...context.get("headers"), ...headers },
      UI_MESSAGE_STREAM_HEADERS,
    );
    // Without it a client would take what it has for the whole message.
    stream.farewell = (reason) =>
      toSseFrame({ type: "error", errorText: `The stream was cut off: ${reason}.` });
    tailMessage({ fanOut, stream, logger, tracks }, wanted, { segments: run.segments, chunks });
    return RESPONSE_ALREADY_SENT;
  }

  return {
    async sendChat({ body }, context) {
      // A prompt whose stream is then refused would run unseen.
      fanOut.assertRoom();
      const session = (body.id ?? body.sessionId)!;
      const place = await act(session, body, by(context));
      if (!place) return context.body(DONE_FRAME, 200, UI_MESSAGE_STREAM_HEADERS);
      return respond(context, place.run, { from: place.from, toolParts: body.toolParts });
    },

    async streamChat({ params, query }, context) {
      const named = parseRun(params.id);
      const session = await store.getSession(named?.session ?? params.id);
      const message = session && (named?.message ?? (await streaming(session)));
      const row = message === undefined ? undefined : await store.getMessage(session!.id, message);
      if (!session || !row) return context.body(null, 204);
      const run = named ?? { session: session.id, message: row.id, segments: 0 };
      return respond(context, run, { ...query, from: row.firstSeq });
    },

    async stopChat({ params, body }, context) {
      return {
        status: 200,
        body: { interrupted: await engine.interrupt(params.id, by(context), body?.turn) },
      };
    },
  };
}

function by(context: AppContext): string {
  return clientName(context.req.header("x-interlingua-client"));
}
