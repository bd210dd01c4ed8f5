/** What Codex tells by itself → drafts. */
import type { Draft } from "../../../core/draft.ts";
import type { CodexMessageName } from "../../schemas/message-names.ts";
import type { RpcParams } from "../../transport/json-rpc.ts";
import { withoutAsked } from "../../transport/json-rpc.ts";
import { withEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import type { CodexState } from "../conversation-state.ts";
import { baseName, configurationOf, planStatus } from "../vocabulary.ts";
import type { WireChange, WireError, WireItem, WireThreadSettings, WireTokens, WireTurn } from "../wire.ts";
import { endAgentTurn, startAgentTurn } from "./agent.ts";
import { addOutput, type Place } from "./command.ts";
import { completeItem, startItem } from "./item.ts";
import { type Origin, originOf } from "./origin.ts";
import { addReasoning, addText, startReasoning } from "./text.ts";
import { addUsage, agentUsage, endTurn, retry, startTurn } from "./turn.ts";
import { UNUSED_MESSAGES } from "./unused-messages.ts";

type Step = Translation<CodexState>;

interface HookRun {
  readonly status: string;
  readonly eventName: string;
  readonly statusMessage?: string | null;
}

/** A notification with the place it is about: the session's own thread where it names none. */
interface Told {
  readonly params: RpcParams;
  readonly place: Place;
  readonly origin: Origin;
  readonly isOwn: boolean;
}

type Reader = (state: CodexState, told: Told) => Step;

export function translateNotification(state: CodexState, method: string, params: RpcParams): Step {
  const thread = typeof params.threadId === "string" ? params.threadId : undefined;
  const origin = originOf(state, thread);
  if (UNUSED_MESSAGES.has(method)) return [state, [], [method]];
  // Another conversation of the same process. Live nothing of it comes here; a recording may hold several.
  if (!origin) return [state, [], [`other-thread/${method}`]];
  const read = Object.hasOwn(READERS, method) ? READERS[method as CodexMessageName] : undefined;
  if (!read) return [state, [{ type: "agent.unknown", native: method }]];
  const turn = typeof params.turnId === "string" ? params.turnId : "";
  const place = { thread: thread ?? state.thread ?? "", turn };
  return read(state, { params, place, origin, isOwn: origin.task === undefined });
}

const READERS: Readonly<Partial<Record<CodexMessageName, Reader>>> = {
  "item/agentMessage/delta": text,
  "item/plan/delta": text,
  "item/commandExecution/outputDelta": output,
  "item/fileChange/outputDelta": output,
  "item/reasoning/summaryTextDelta": (state, told) => reasoning(state, told, told.params.summaryIndex, ""),
  "item/reasoning/textDelta": (state, told) => reasoning(state, told, told.params.contentIndex, "content:"),
  "item/reasoning/summaryPartAdded": (state, { params, place, origin }) => {
    const item = String(params.itemId);
    return startReasoning(state, item, `${item}:${params.summaryIndex}`, place.thread, origin);
  },
  "item/started": (state, { params, place, origin }) =>
    startItem(state, params.item as WireItem, place, origin),
  "item/completed": (state, { params, place, origin }) =>
    completeItem(state, params.item as WireItem, place, origin),
  "item/commandExecution/terminalInteraction": (state, { params, origin }) =>
    progress(state, params.itemId, { stdin: params.stdin }, origin),
  "item/mcpToolCall/progress": (state, { params, origin }) =>
    progress(state, params.itemId, { message: params.message }, origin),
  "item/fileChange/patchUpdated": patch,
  "thread/tokenUsage/updated": usage,
  "thread/settings/updated": (state, { params, isOwn }) => {
    const settings = params.threadSettings as WireThreadSettings;
    if (!isOwn) return [state, []];
    return [
      {
        ...state,
        settings,
        model: settings.model ?? state.model,
        mode: settings.collaborationMode?.mode ?? state.mode,
      },
      [{ type: "session.updated", ...configurationOf(settings, state.models) }],
    ];
  },
  "thread/name/updated": (state, { params, isOwn }) =>
    isOwn && typeof params.threadName === "string"
      ? [state, [{ type: "session.updated", title: params.threadName }]]
      : [state, []],
  // Its totals go back too, and are told only with the next response.
  "thread/reverted": (state, { isOwn }) => [isOwn ? { ...state, usage: undefined } : state, []],
  "thread/goal/updated": (state, { params, origin }) => {
    const { objective, status } = params.goal as { objective: string; status: string };
    return notice(state, "info", "goal", `Goal (${status}): ${objective}`, origin);
  },
  "turn/started": (state, { params, place, isOwn }) =>
    isOwn
      ? startTurn(state, params.turn as WireTurn)
      : startAgentTurn(state, place.thread, params.turn as WireTurn),
  "turn/completed": (state, { params, place, isOwn }) =>
    isOwn
      ? endTurn(state, params.turn as WireTurn)
      : endAgentTurn(state, place.thread, params.turn as WireTurn),
  "turn/plan/updated": (state, { params, origin }) => {
    const steps = params.plan as { step: string; status: string }[];
    const entries = steps.map(({ step, status }) => ({ text: step, status: planStatus(status) }));
    return [state, [{ type: "plan.updated", entries, ...origin }]];
  },
  error: (state, { params, origin }) => {
    const error = params.error as WireError;
    if (params.willRetry) return retry(state, error, origin);
    // The end of the turn tells it again.
    return state.turn ? [state, []] : notice(state, "error", "agent", error.message, origin);
  },
  warning: (state, { params, origin }) => warn(state, params.message, origin),
  guardianWarning: (state, { params, origin }) => warn(state, params.message, origin),
  configWarning: (state, { params, origin }) => warn(state, params.summary, origin),
  "model/rerouted": (state, { params, origin }) =>
    notice(
      state,
      "warning",
      "model",
      `Codex answers with ${params.toModel} in place of ${params.fromModel}.`,
      origin,
    ),
  "mcpServer/startupStatus/updated": (state, { params, origin }) =>
    params.status === "failed"
      ? warn(
          state,
          `The MCP server ${params.name} did not start: ${params.error ?? "no reason was given"}`,
          origin,
        )
      : [state, []],
  "hook/completed": (state, { params, origin }) => {
    const { status, eventName, statusMessage } = params.run as HookRun;
    if (status === "completed") return [state, []];
    const words =
      statusMessage ?? `The hook ${eventName} ${status === "blocked" ? "has blocked it" : status}.`;
    return notice(state, "warning", "hook", words, origin);
  },
  "item/autoApprovalReview/completed": (state, { params, origin }) => {
    const { status, rationale } = params.review as { status: string; rationale?: string | null };
    return notice(
      state,
      "info",
      "review",
      `Codex reviewed a request by itself: ${status}. ${rationale ?? ""}`.trim(),
      origin,
    );
  },
  "serverRequest/resolved": (state, { params }) => {
    const ask = String(params.requestId);
    return [
      { ...state, rpc: withoutAsked(state.rpc, ask) },
      [{ type: "ask.closed", ask, outcome: "cancelled", delivered: false }],
    ];
  },
};

function text(state: CodexState, { params, place, origin }: Told): Step {
  return addText(state, params.itemId as string, params.delta as string, place.thread, origin);
}

function output(state: CodexState, { params, origin }: Told): Step {
  return addOutput(state, params.itemId as string, params.delta as string, origin);
}

function reasoning(state: CodexState, { params, place, origin }: Told, index: unknown, kind: string): Step {
  const item = String(params.itemId);
  const added = { item, part: `${item}:${kind}${index}`, delta: String(params.delta) };
  return addReasoning(state, added, place.thread, origin);
}

function usage(state: CodexState, { params, place, origin, isOwn }: Told): Step {
  const told = params.tokenUsage as {
    total: WireTokens;
    last: WireTokens;
    modelContextWindow?: number | null;
  };
  return isOwn ? addUsage(state, told, place.turn) : [state, [agentUsage(told.last, origin)]];
}

/** A patch that is still being written. */
function patch(state: CodexState, { params, origin }: Told): Step {
  const call = String(params.itemId);
  const changes = params.changes as WireChange[];
  const title = changes.map(({ path }) => baseName(path)).join(", ");
  return [
    state,
    [
      { type: "tool.start", call, name: "fileChange", kind: "edit", title, ...origin },
      { type: "tool.progress", call, progress: { changes }, ...origin },
    ],
  ];
}

function progress(state: CodexState, item: unknown, value: object, origin: Origin): Step {
  return [state, [{ type: "tool.progress", call: String(item), progress: value, ...origin }]];
}

/** Told once in a process, however many threads it is told for. */
function warn(state: CodexState, message: unknown, origin: Origin): Step {
  const words = String(message);
  if (state.warnings.has(words)) return [state, []];
  return notice(
    { ...state, warnings: withEntry(state.warnings, words, true) },
    "warning",
    "agent",
    words,
    origin,
  );
}

function notice(
  state: CodexState,
  level: "info" | "warning" | "error",
  code: string,
  words: string,
  origin: Origin,
): Step {
  const draft: Draft = { type: "notice", level, code, text: words, ...origin };
  return [state, [draft]];
}
