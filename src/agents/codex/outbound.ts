/** Codex's lines → drafts. Pure. */
import { afterHeard, afterSent, type RpcMessage, readMessage } from "../transport/json-rpc.ts";
import { noteOf } from "../transport/json-rpc-lines.ts";
import { parseLine, unreadable } from "../transport/line-text.ts";
import { withEntry } from "../transport/map-entry.ts";
import type { RecordInput, Translation, Translator } from "../transport/translator.ts";
import { type CodexState, INITIAL_STATE } from "./conversation-state.ts";
import { openAsk } from "./outbound/ask.ts";
import { isExecEvent, translateExecEvent } from "./outbound/exec.ts";
import { translateNotification } from "./outbound/notification.ts";
import { originOf } from "./outbound/origin.ts";
import { isModelList, translateError, translateResult } from "./outbound/response.ts";
import { TASK_NOTE, WORDS_NOTE } from "./request-notes.ts";
import { settingsOf } from "./thread-settings.ts";
import type { WireModel } from "./wire.ts";

type Step = Translation<CodexState>;

export const outbound: Translator<CodexState> = { initial: INITIAL_STATE, translate };

function translate(state: CodexState, { direction, data }: RecordInput): Step {
  // What happens to the process is told by the engine.
  if (typeof data !== "string") return [state, []];
  const line = parseLine(data);
  if (line.kind === "blank") return [state, []];
  if (direction === "out") return line.kind === "message" ? translateLine(state, line.message) : [state, []];
  if (line.kind === "unreadable") return [state, [line.draft]];
  const message = readMessage(line.message);
  switch (message.kind) {
    case "notification":
      return translateNotification(state, message.method, message.params);
    case "request":
      return translateRequest(state, message);
    case "result":
    case "error":
      return translateAnswer(state, message, data);
    case "other":
      if (isExecEvent(line.message)) return translateExecEvent(state, line.message);
      return [state, [unreadable("not-a-message", data)]];
  }
}

/** A client that lists the models will choose among their settings, so from then on all of them are reported. */
function translateLine(state: CodexState, line: Readonly<Record<string, unknown>>): Step {
  const message = readMessage(line);
  const next = afterLine(state, message);
  const isAsking = message.kind === "request" && isModelList(message);
  if (!isAsking || !state.settings) return [next, []];
  const models: readonly WireModel[] = [];
  return [{ ...next, models }, [{ type: "session.updated", settings: settingsOf(state.settings, models) }]];
}

/** What we said is part of the state: which requests wait, and what they will change. */
function afterLine(state: CodexState, message: RpcMessage): CodexState {
  const next = { ...state, rpc: afterSent(state.rpc, message) };
  if (message.kind !== "request" || message.params.threadId !== state.thread) return next;
  const { method, params } = message;
  switch (method) {
    case "turn/start":
    case "turn/steer": {
      if (noteOf(message.id) === WORDS_NOTE) return next;
      const { clientUserMessageId: id } = params;
      const prompts = [...state.prompts, typeof id === "string" ? id : ""];
      if (method === "turn/steer" || state.turn) return { ...next, prompts };
      return { ...next, prompts, turn: { isStarted: false }, isBetweenSteps: true };
    }
    case "thread/backgroundTerminals/list":
      return withStoppedTask(next, noteOf(message.id));
    case "thread/backgroundTerminals/terminate": {
      const marked = withStoppedTask(next, noteOf(message.id));
      return { ...marked, stopped: withoutProcess(marked, params.processId) };
    }
    case "thread/revert":
      return { ...next, rewinding: { before: "", ...state.rewinding } };
    case "thread/turns/list": {
      const before = noteOf(message.id);
      return before === undefined ? next : { ...next, rewinding: { before } };
    }
    default:
      return next;
  }
}

/** A person ends one command in the background. */
function withStoppedTask(state: CodexState, note: string | undefined): CodexState {
  const call = note?.startsWith(TASK_NOTE) ? note.slice(TASK_NOTE.length) : undefined;
  const command = call === undefined ? undefined : state.commands.get(call);
  if (call === undefined || !command) return state;
  return {
    ...state,
    commands: withEntry(state.commands, call, { ...command, isStopped: true }),
    stopped: new Set([...state.stopped, call]),
  };
}

function withoutProcess({ stopped, commands }: CodexState, process: unknown): ReadonlySet<string> {
  return new Set([...stopped].filter((call) => commands.get(call)?.process !== process));
}

function translateRequest(state: CodexState, request: Extract<RpcMessage, { kind: "request" }>): Step {
  const next = { ...state, rpc: afterHeard(state.rpc, request) };
  const { threadId } = request.params;
  const origin = originOf(state, typeof threadId === "string" ? threadId : undefined);
  const draft = origin && openAsk(next, request, origin);
  // Nobody is asked, so it is refused by inbound.ts; what it was about shows elsewhere.
  return draft ? [next, [draft]] : [next, [], [request.method]];
}

function translateAnswer(
  state: CodexState,
  message: Extract<RpcMessage, { kind: "result" | "error" }>,
  data: string,
): Step {
  const request = state.rpc.sent.get(message.id);
  if (!request) return [state, [unreadable("unexpected-answer", data)]];
  const next = { ...state, rpc: afterHeard(state.rpc, message) };
  return message.kind === "result"
    ? translateResult(next, request, message.result)
    : translateError(next, request, message.error);
}
