/** Prompts, answers, edits and new answers as `useChat` sends them, and the responses it reads. */
import type { Principal } from "../../../core/principal.ts";
import type { SessionRow } from "../../../core/store.ts";
import type { PromptReceipt } from "../../../protocol/commands/command-types.ts";
import { messageNotFound, sessionNotFound } from "../../../protocol/refusals.ts";
import type { Call, DialectHandlers, DialectServices, WantedMessage } from "../../dialect.ts";
import { type ChatIntent, chatIntent } from "../inbound.ts";
import type * as routes from "../routes.ts";
import type { ChatRequest } from "../schemas.ts";
import { DONE_FRAME, toSseFrame, UI_MESSAGE_STREAM_HEADERS } from "../sse.ts";
import { messageFormat, type ToolParts } from "../view.ts";
import { giveAnswers } from "./answers.ts";
import { chatSession } from "./chat-session.ts";
import { type ChatRun, formatRun, parseRun } from "./run.ts";

interface Place {
  run: ChatRun;
  /** The seq of the message's first event, or of an earlier one. */
  from: number;
}

/** From which event on, and in which form a message is wanted. */
interface WantedForm {
  from: number;
  toolParts?: ToolParts;
  include?: "raw";
}

type ChatHandlers = Pick<
  DialectHandlers<typeof routes>,
  "sendChat" | "streamChat" | "streamChatMessage" | "stopChat"
>;

export function chatHandlers(services: DialectServices): ChatHandlers {
  const { engine, store, messages } = services;

  /** Executes the request. Returns which response it gets and from which event on to look for it. */
  async function act(session: string, body: ChatRequest, by: Principal): Promise<Place | undefined> {
    const intent = chatIntent(body);
    if (intent.type === "answer") {
      const { message } = await giveAnswers(engine, session, intent.answers, by);
      const row = message === undefined ? undefined : await store.getMessage(session, message);
      // The ask came from background work, which writes no message.
      if (!row) return undefined;
      const wanted = { session, message: row.id, from: row.firstSeq, facts: {}, format: messageFormat() };
      const segments = await messages.segmentsShown(wanted, intent.shown);
      return { run: { session, message: row.id, segments }, from: row.firstSeq };
    }
    if ("parts" in intent) await services.checkPrompt(intent.parts, session);
    await chatSession(services, session, body, by);
    const { message, seq } = await give(session, intent, body.whenBusy, by);
    return { run: { session, message, segments: 0 }, from: seq };
  }

  function give(
    session: string,
    intent: Exclude<ChatIntent, { type: "answer" }>,
    whenBusy: ChatRequest["whenBusy"],
    by: Principal,
  ): Promise<PromptReceipt> {
    switch (intent.type) {
      case "prompt":
        return engine.run("prompt", { ...intent, session, whenBusy }, by);
      case "edit":
        return engine.run("edit", { ...intent, session }, by);
      case "regenerate":
        return engine.run("regenerate", { ...intent, session }, by);
    }
  }

  /** The message that is being written, unless a person is asked. */
  async function streaming(session: SessionRow, by: Principal): Promise<string | undefined> {
    const { messages: rows } = await store.listMessages(session.id, { limit: 10, withoutRecords: true });
    const row = rows.findLast(({ state }) => state === "streaming");
    if (!row) return undefined;
    const { asks } = await engine.run("listAsks", { session: session.id }, by);
    return asks.some(({ turn }) => turn !== undefined) ? undefined : row.id;
  }

  async function wantedMessage(
    { session, message }: Pick<ChatRun, "session" | "message">,
    { from, toolParts, include }: WantedForm,
  ): Promise<WantedMessage> {
    const { agent, agentSessionId } = (await store.getSession(session)) ?? {};
    const format = messageFormat(toolParts, include);
    return { session, message, from, facts: { agent, agentSessionId }, format, withRaws: include === "raw" };
  }

  async function respond(
    call: Call,
    run: ChatRun,
    options: WantedForm & { startIndex?: number },
  ): Promise<Response> {
    const { startIndex = 0 } = options;
    const wanted = await wantedMessage(run, options);
    const headers: Record<string, string> = {
      ...UI_MESSAGE_STREAM_HEADERS,
      "x-workflow-run-id": formatRun(run),
    };
    let frames = startIndex;
    if (startIndex < 0) {
      const count = await messages.countFrames(wanted, run.segments);
      headers["x-workflow-stream-tail-index"] = String(count - 1);
      frames = Math.max(0, count + startIndex);
    }
    return call.stream({ headers, closingFrame }, (sink) =>
      messages.follow(sink, wanted, { segments: run.segments, frames }),
    );
  }

  return {
    async sendChat({ query, body }, call) {
      // A prompt whose stream is then refused would run unseen.
      services.assertRoom();
      const session = (body.id ?? body.sessionId)!;
      const place = await act(session, body, call.caller);
      if (!place) return call.answer(200, DONE_FRAME, UI_MESSAGE_STREAM_HEADERS);
      return respond(call, place.run, { ...query, from: place.from, toolParts: body.toolParts });
    },

    async streamChat({ params, query }, call) {
      const named = parseRun(params.id);
      const session = await store.getSession(named?.session ?? params.id);
      const message = session && (named?.message ?? (await streaming(session, call.caller)));
      const row = message === undefined ? undefined : await store.getMessage(session!.id, message);
      if (!session || !row) return call.answer(204, null);
      const run = named ?? { session: session.id, message: row.id, segments: 0 };
      return respond(call, run, { ...query, from: row.firstSeq });
    },

    async streamChatMessage({ params, query }, call) {
      const { id: session, message } = params;
      if (!(await store.getSession(session))) throw sessionNotFound(session);
      const row = await store.getMessage(session, message);
      if (!row || row.role === "system") throw messageNotFound(message);
      const wanted = await wantedMessage({ session, message }, { ...query, from: row.firstSeq });
      return call.stream({ headers: UI_MESSAGE_STREAM_HEADERS, closingFrame }, (sink) =>
        messages.follow(sink, wanted, { segments: 0, frames: query.startIndex ?? 0, acrossAsks: true }),
      );
    },

    async stopChat({ params, body }, call) {
      const input = { session: params.id, turn: body?.turn };
      const { interrupted } = await engine.run("interrupt", input, call.caller);
      return { status: 200, body: { interrupted } };
    },
  };
}

/** Without it a client would mistake what it has for the whole message. */
function closingFrame(reason: string): string {
  return toSseFrame({ type: "error", errorText: `The stream was cut off: ${reason}.` });
}
