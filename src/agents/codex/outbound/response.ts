/** Codex's answers to our requests → drafts. */
import type { RpcError, RpcRequest } from "../../transport/json-rpc.ts";
import { noteOf } from "../../transport/json-rpc-lines.ts";
import { withEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import { type CodexState, withoutPrompt } from "../conversation-state.ts";
import { OPENING_NOTE, WORDS_NOTE } from "../request-notes.ts";
import { settingsOf, shownModels } from "../thread-settings.ts";
import { configurationOf } from "../vocabulary.ts";
import type { WireCollaborationMode, WireItem, WireModel, WireThreadOpened, WireTurn } from "../wire.ts";
import { endTurn } from "./turn.ts";

type Step = Translation<CodexState>;

/** Requests that open the session's thread. */
export const OPENING: readonly string[] = ["thread/start", "thread/resume"];

export const MODEL_LIST = "model/list";

/** Whether a session asked it as it was opened. */
export function isModelList({ id, method }: RpcRequest): boolean {
  return method === MODEL_LIST && noteOf(id) === OPENING_NOTE;
}

export function translateResult(state: CodexState, request: RpcRequest, result: unknown): Step {
  const { method, params } = request;
  if (OPENING.includes(method)) return attach(state, method, result as WireThreadOpened);
  if (isModelList(request)) return withModels(state, result);
  if (params.threadId !== state.thread) return [state, []];
  switch (method) {
    case "turn/start":
      return beginTurn(state, request, (result as { turn?: WireTurn }).turn);
    case "thread/settings/update":
      return [withSettings(state, params as SettingsParams), []];
    case "thread/unsubscribe":
      return [{ ...state, hasLeft: true }, []];
    case "thread/backgroundTerminals/list":
      return [withProcesses(state, (result as { data?: Terminal[] }).data ?? []), []];
    case "thread/turns/list":
      return findTurn(state, request, result as TurnPage);
    case "thread/revert":
      return [{ ...state, rewinding: undefined }, []];
    default:
      return [state, []];
  }
}

export function translateError(state: CodexState, request: RpcRequest, error: RpcError): Step {
  const { method, params } = request;
  if (OPENING.includes(method)) {
    // A session that is already open stays open.
    return [state.thread === undefined ? { ...state, failure: error.message } : state, []];
  }
  if (isModelList(request)) return [state, []];
  if (params.threadId !== state.thread) return [state, []];
  switch (method) {
    case "turn/start":
    case "turn/steer":
      return refusePrompt(state, request, error);
    case "turn/interrupt":
    case "thread/backgroundTerminals/terminate":
      // The turn or the command was over before.
      return [state, []];
    case "thread/unsubscribe":
      return [{ ...state, hasLeft: true }, []];
    case "thread/settings/update":
      return [
        { ...state, isConfigured: true },
        [{ type: "notice", level: "warning", code: "configure", text: error.message }],
      ];
    case "thread/revert":
    case "thread/turns/list": {
      const text = `Codex could not take the conversation back: ${error.message}`;
      return [
        { ...state, rewinding: undefined },
        [{ type: "notice", level: "warning", code: "rewind", text }],
      ];
    }
    default:
      return [state, [{ type: "notice", level: "warning", code: "agent", text: error.message }]];
  }
}

interface SettingsParams {
  readonly model?: string;
  readonly collaborationMode?: WireCollaborationMode;
}

/** Codex tells its settings a moment later; a change that comes first has to begin from these. */
function withSettings(state: CodexState, { model, collaborationMode }: SettingsParams): CodexState {
  return {
    ...state,
    isConfigured: true,
    model: model ?? collaborationMode?.settings.model ?? state.model,
    mode: collaborationMode?.mode ?? state.mode,
  };
}

/** Now it is known which models there are, and how much each can think. */
function withModels(state: CodexState, result: unknown): Step {
  const models = (result as { data?: WireModel[] }).data ?? [];
  const settings = state.settings && settingsOf(state.settings, models);
  return [{ ...state, models }, [{ type: "session.updated", models: shownModels(models), settings }]];
}

/** A session is about one thread, the first that was opened. */
function attach(state: CodexState, method: string, opened: WireThreadOpened): Step {
  const { thread, model, sandbox, reasoningEffort, collaborationMode } = opened;
  if (state.thread !== undefined && state.thread !== thread.id) return [state, []];
  const settings = { ...opened, sandboxPolicy: sandbox, effort: reasoningEffort };
  return [
    {
      ...state,
      thread: thread.id,
      failure: undefined,
      settings,
      model: model ?? state.model,
      mode: collaborationMode?.mode ?? state.mode,
    },
    [
      {
        type: "session.attached",
        agentSessionId: thread.id,
        agentVersion: thread.cliVersion,
        ...(method === "thread/resume" && { resumed: true }),
        ...configurationOf(settings),
      },
    ],
  ];
}

function beginTurn(state: CodexState, { params }: RpcRequest, turn: WireTurn | undefined): Step {
  if (!turn) return [state, []];
  // It was folded into a turn whose end we know already.
  if (turn.id === state.endedTurn) {
    return endTurn({ ...state, endedTurn: undefined }, { ...turn, status: "completed" });
  }
  const message = params.clientUserMessageId;
  const isFirst = state.turn?.id === undefined || !state.turn.isStarted;
  const isNoted = typeof message === "string" && isFirst;
  return [
    {
      ...state,
      turn: { isStarted: false, ...state.turn, id: turn.id },
      turnOf: isNoted ? withEntry(state.turnOf, message, turn.id) : state.turnOf,
    },
    [],
  ];
}

/** A prompt that steered waits again; one that was to begin a turn has failed with it. */
function refusePrompt(state: CodexState, { id, method, params }: RpcRequest, error: RpcError): Step {
  if (noteOf(id) === WORDS_NOTE) return [state, []];
  const message = typeof params.clientUserMessageId === "string" ? params.clientUserMessageId : "";
  const next = withoutPrompt(state, message);
  if (method === "turn/steer" && state.turn) {
    const named = message === "" ? {} : { message };
    return [next, [{ type: "prompt.returned", ...named, reason: error.message }]];
  }
  return [
    { ...next, turn: state.turn?.isStarted ? state.turn : undefined },
    [{ type: "turn.ended", outcome: "failed", error: { code: "agent_refused", message: error.message } }],
  ];
}

interface Terminal {
  readonly itemId: string;
  readonly processId: string;
}

/** Now it is known by which names the stopped commands can be ended; those that are not listed are over. */
function withProcesses(state: CodexState, terminals: readonly Terminal[]): CodexState {
  const commands = new Map(state.commands);
  const stopped = new Set<string>();
  for (const { itemId, processId } of terminals) {
    const command = commands.get(itemId);
    if (!command) continue;
    commands.set(itemId, { ...command, process: processId });
    if (state.stopped.has(itemId)) stopped.add(itemId);
  }
  return { ...state, commands, stopped };
}

interface TurnPage {
  readonly data?: readonly WireTurn[];
  readonly nextCursor?: string | null;
}

/** Looks in Codex's history for the turn a prompt began. */
function findTurn(state: CodexState, request: RpcRequest, { data = [], nextCursor }: TurnPage): Step {
  const before = noteOf(request.id);
  if (before === undefined) return [state, []];
  const isBegunByIt = (item: WireItem) => item.type === "userMessage" && item.clientId === before;
  const turn = data.find(({ items = [] }) => items.some(isBegunByIt))?.id;
  if (turn !== undefined) return [{ ...state, rewinding: { before, turn } }, []];
  if (nextCursor) return [{ ...state, rewinding: { before, cursor: nextCursor } }, []];
  const text =
    "Codex does not know the message the conversation was taken back to; it still remembers all of it.";
  return [{ ...state, rewinding: undefined }, [{ type: "notice", level: "warning", code: "rewind", text }]];
}
