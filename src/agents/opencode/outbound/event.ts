/** The server's events → drafts. */
import type { Draft } from "../../../core/draft.ts";
import type { OpenCodeMessageName } from "../../schemas/message-names.ts";
import { withEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import {
  MISSED_ROUTES,
  modelMessage,
  type OpenCodeState,
  startTurn,
  withTurn,
} from "../conversation-state.ts";
import { isPlaceholderTitle, plainMessage, planPriority, planStatus } from "../vocabulary.ts";
import type {
  WireDelta,
  WireError,
  WireEvent,
  WireMessage,
  WirePart,
  WirePermission,
  WireQuestion,
  WireSession,
  WireStatus,
  WireTodo,
} from "../wire.ts";
import { askPermission, openedQuestion, otherAnswer } from "./ask.ts";
import { translateDelta, translatePart } from "./part.ts";
import { afterError, afterIdle } from "./turn-end.ts";
import { UNUSED_MESSAGES } from "./unused-messages.ts";

/** What a sub-agent says names the call that started it. */
export interface Origin {
  readonly parent?: string;
}

export function translateEvent(state: OpenCodeState, event: WireEvent): Translation<OpenCodeState> {
  const { type, properties } = event;
  const origin = originOf(state, properties.sessionID);
  if (!origin) return [state, []];
  if (type === "message.part.delta") return translateDelta(state, properties as unknown as WireDelta, origin);
  if (type === "server.connected") return [afterConnection(state), []];
  if (UNUSED_MESSAGES.has(type)) return [state, [], [type]];
  const isOwn = origin.parent === undefined;
  switch (type as OpenCodeMessageName) {
    case "session.updated":
      return [state, isOwn ? [updatedSession(properties.info as WireSession)] : []];
    case "message.updated":
      return noteMessage(state, properties.info as WireMessage, isOwn);
    case "message.part.updated":
      return translatePart(state, properties.part as WirePart, origin);
    case "session.status":
      return noteStatus(state, properties.status as WireStatus, origin);
    case "session.error":
      return isOwn ? afterError(state, properties.error as WireError) : [state, []];
    case "session.idle":
      return isOwn ? afterIdle(state) : [state, []];
    case "session.compacted":
      return [state, isOwn ? [compacted(state)] : []];
    case "permission.asked":
      return askPermission(state, properties as unknown as WirePermission, origin);
    case "question.asked":
      return askQuestion(state, properties as unknown as WireQuestion, origin);
    case "permission.replied":
    case "question.replied":
    case "question.rejected":
      return [state, otherAnswer(state, event)];
    case "mcp.browser.open.failed":
      return [state, [notSignedIn(properties as unknown as { mcpName: string; url: string })]];
    case "todo.updated":
      return [state, [planned(properties.todos as readonly WireTodo[], origin)]];
    default:
      return [state, [{ type: "agent.unknown", native: type }]];
  }
}

/** Undefined for what is about another session. What names none, or comes before there is one, is ours to tell. */
function originOf({ session, turn }: OpenCodeState, named: unknown): Origin | undefined {
  if (named === undefined || session === undefined || named === session) return {};
  const parent = turn.children.get(named as string);
  return parent === undefined ? undefined : { parent };
}

/** The stream is open again: events in between were missed. */
function afterConnection(state: OpenCodeState): OpenCodeState {
  return state.session === undefined || state.stream !== undefined
    ? state
    : { ...state, missed: MISSED_ROUTES };
}

export function updatedSession({ title, model, agent }: WireSession): Draft {
  return {
    type: "session.updated",
    model: model ? `${model.providerID}/${model.id}` : undefined,
    mode: agent,
    ...(title && !isPlaceholderTitle(title) && { title }),
  };
}

export function noteMessage(
  state: OpenCodeState,
  message: WireMessage,
  isOwn: boolean,
): Translation<OpenCodeState> {
  if (message.role === "user") return isOwn ? noteUserMessage(state, message.id) : [state, []];
  const { turn } = state;
  const known = modelMessage(message, turn.messages.get(message.id));
  const messages = withEntry(turn.messages, message.id, known);
  // An earlier one is told again when the conversation is compacted; how the turn goes on shows in the newest.
  const isEarlier = turn.last !== message.id && turn.messages.has(message.id);
  if (!isOwn || isEarlier) return [withTurn(state, { messages }), []];
  // A new message of the model is the proof that an error before it was not the end.
  const error = message.error ?? (turn.last === message.id ? turn.error : undefined);
  return [withTurn(state, { messages, last: message.id, error }), []];
}

/** The oldest prompt that carries no mark is the next message there is; a marked one is known by its parts. */
function noteUserMessage(state: OpenCodeState, native: string): Translation<OpenCodeState> {
  if (state.users.has(native)) return [state, []];
  const [next, ...rest] = state.prompts;
  if (!next || next.isMarked) return [{ ...state, users: withEntry(state.users, native, undefined) }, []];
  return [
    { ...state, prompts: rest, users: withEntry(state.users, native, next.message) },
    [{ type: "prompt.received", message: next.message, native }],
  ];
}

function noteStatus(state: OpenCodeState, status: WireStatus, origin: Origin): Translation<OpenCodeState> {
  if (status.type === "retry") {
    const data = { attempt: status.attempt, at: status.next };
    const text = plainMessage(status.message ?? "The model is asked again.");
    return [state, [{ type: "notice", level: "warning", code: "retry", text, data, ...origin }]];
  }
  if (status.type !== "busy" || origin.parent !== undefined || state.turn.sawBusy) return [state, []];
  const begun = state.turn.isRunning ? state : startTurn(state);
  return [withTurn(begun, { sawBusy: true }), []];
}

function askQuestion(state: OpenCodeState, asked: WireQuestion, origin: Origin): Translation<OpenCodeState> {
  const questions = withEntry(state.questions, asked.id, asked.questions.length);
  return [{ ...state, questions }, [openedQuestion(asked, origin)]];
}

function compacted({ turn: { summary } }: OpenCodeState): Draft {
  return { type: "compaction.ended", summary };
}

/** OpenCode would open the page itself, where nobody looks. */
function notSignedIn({ mcpName, url }: { mcpName: string; url: string }): Draft {
  const text = `The MCP server ${mcpName} waits for a sign-in. Open ${url} in a browser.`;
  return { type: "notice", level: "warning", code: "mcp", text, data: { url } };
}

function planned(todos: readonly WireTodo[], origin: Origin): Draft {
  const entries = todos.map(({ content, status, priority }) => {
    const known = planPriority(priority);
    return { text: content, status: planStatus(status), ...(known && { priority: known }) };
  });
  return { type: "plan.updated", entries, ...origin };
}
