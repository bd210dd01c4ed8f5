/** An ACP agent's lines → drafts. Pure. */
import type { Draft } from "../../core/draft.ts";
import {
  afterHeard,
  afterSent,
  type RpcMessage,
  type RpcRequest,
  readMessage,
} from "../transport/json-rpc.ts";
import { parseLine, unreadable } from "../transport/line-text.ts";
import type { FailingAgent } from "../transport/model-failure.ts";
import type { RecordInput, Translation, Translator } from "../transport/translator.ts";
import { isRefusal, meaningOf } from "./answer-meaning.ts";
import { type AcpState, afterDecision, afterPrompt, INITIAL_STATE, withTurn } from "./conversation-state.ts";
import { translateAsk } from "./outbound/ask.ts";
import { endPart, releaseHeld } from "./outbound/chunk.ts";
import { type RpcAnswer, translateResponse } from "./outbound/response.ts";
import { afterTerminalAnswer } from "./outbound/terminal.ts";
import { translateNotification } from "./outbound/update.ts";
import { isChatter } from "./quirks.ts";
import { type JsonObject, objectOf, textOf } from "./untyped.ts";
import { unreadOf } from "./vocabulary.ts";
import { isClientMethod, METHOD } from "./wire.ts";

type Step = readonly [AcpState, readonly Draft[]];

/** For an agent of which only its own introduction is known. */
export const outbound = createOutbound(INITIAL_STATE.program);

/** `program`: how people call it and sign in, for the errors of its model. */
export function createOutbound(program: FailingAgent): Translator<AcpState> {
  const initial = { ...INITIAL_STATE, program };
  return {
    initial,
    translate(state, { direction, data }) {
      if (typeof data === "string") return translateLine(state, direction, data);
      if (data.event === "spawn") return [initial, []];
      return data.event === "exit" ? releaseHeld(state) : [state, []];
    },
  };
}

function translateLine(
  state: AcpState,
  direction: RecordInput["direction"],
  data: string,
): Translation<AcpState> {
  const line = parseLine(data);
  if (line.kind === "blank") return [state, []];
  if (line.kind === "unreadable") return [state, direction === "in" ? [line.draft] : []];
  const message = readMessage(line.message);
  if (direction === "out") return afterSending(state, message);
  if (message.kind === "notification") {
    const step = translateNotification(state, message.method, message.params);
    const unread = unreadOf(message.method, message.params);
    return unread === undefined ? step : [...step, unread];
  }
  if (message.kind === "request") return translateRequest(state, message);
  const answer = answerOf(state, message, line.message);
  const request = answer && state.rpc.sent.get(answer.id);
  if (answer === undefined || request === undefined) return [state, [unreadable("not-a-message", data)]];
  return translateResponse({ ...state, rpc: afterHeard(state.rpc, answer) }, request, answer);
}

/** Some agents answer with the id alone when there is nothing to say. */
function answerOf(state: AcpState, message: RpcMessage, { id }: JsonObject): RpcAnswer | undefined {
  if (message.kind === "result" || message.kind === "error") return message;
  const isKnown = (typeof id === "number" || typeof id === "string") && state.rpc.sent.has(id);
  return isKnown ? { kind: "result", id, result: {} } : undefined;
}

/** Every request waits for an answer: that of a person, or one the encoder gives by itself. */
function translateRequest(state: AcpState, request: RpcRequest & RpcMessage): Translation<AcpState> {
  const next = { ...state, rpc: afterHeard(state.rpc, request) };
  const ask = translateAsk(next, request);
  if (ask) return ask;
  const { method } = request;
  if (isChatter(method)) return [next, [], [method]];
  // Work we do for the agent belongs to one of its calls.
  return [next, isClientMethod(method) ? [] : [{ type: "agent.unknown", native: method }]];
}

function afterSending(state: AcpState, message: RpcMessage): Step {
  const next = { ...state, rpc: afterSent(state.rpc, message) };
  switch (message.kind) {
    case "request":
      return [afterRequest(next, message), []];
    case "notification":
      return message.method === METHOD.cancel ? afterCancel(next) : [next, []];
    case "result":
      return afterAnswer(next, state.rpc.asked.get(String(message.id)), message.result);
    default:
      return [next, []];
  }
}

function afterRequest(state: AcpState, { method, params }: RpcRequest): AcpState {
  switch (method) {
    case METHOD.prompt:
      return afterPrompt(state);
    case METHOD.newSession:
      return { ...state, cwd: textOf(params.cwd) };
    case METHOD.loadSession:
    case METHOD.resumeSession: {
      const session = { id: String(params.sessionId) };
      return { ...state, cwd: textOf(params.cwd), session, isReplaying: true };
    }
    case METHOD.setMode:
    case METHOD.setModel:
    case METHOD.setConfigOption:
      return state.opening.isSetUp ? state : { ...state, opening: { ...state.opening, isSetUp: true } };
    case METHOD.closeSession:
      return { ...state, hasClosed: true };
    default:
      return state;
  }
}

/** The agent does not report the end of work it began by itself. */
function afterCancel(state: AcpState): Step {
  if (state.turn.prompts > 0) return [withTurn(state, { stopping: true }), []];
  const [ended, ends] = endPart(state);
  return [ended, [...ends, { type: "turn.ended", outcome: "interrupted", origin: "agent" }]];
}

function afterAnswer(state: AcpState, request: RpcRequest | undefined, result: unknown): Step {
  if (request === undefined) return [state, []];
  const meaning = meaningOf(request, result);
  if (meaning === undefined) return [afterTerminalAnswer(state, request, objectOf(result)), []];
  const call = textOf(objectOf(request.params.toolCall).toolCallId);
  if (meaning !== "cancelled") return [afterDecision(state, call, !isRefusal(request, meaning)), []];
  const ask = String(request.id);
  const draft: Draft = { type: "ask.closed", ask, outcome: "cancelled", delivered: true };
  return [afterDecision(state, call, false), [draft]];
}
