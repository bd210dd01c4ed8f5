/** The notifications of an agent → drafts: `session/update` in all its variants, and the few others with a meaning. */
import type { Draft } from "../../../core/draft.ts";
import type { EventOf } from "../../../core/event.ts";
import { withoutUndefined } from "../../../core/without-undefined.ts";
import { withoutAsked } from "../../transport/json-rpc.ts";
import { type AcpState, afterSign } from "../conversation-state.ts";
import { AUTH_STATUS, isChatter, isExtension, saysIdle } from "../quirks.ts";
import { type JsonObject, objectOf, objectsOf, textOf } from "../untyped.ts";
import { AGENT_METHOD } from "../wire.ts";
import { endPart, translateChunk } from "./chunk.ts";
import { readConfiguration, settingsOf, withMode } from "./configuration.ts";
import { translateToolCall } from "./tool.ts";
import { translateUsageUpdate } from "./usage.ts";

type Step = readonly [AcpState, readonly Draft[]];

/** What an agent tells again when it resumes: all do at `session/load`, some at `session/resume` too. The log has it already. */
const HISTORY = new Set([
  "user_message_chunk",
  "agent_message_chunk",
  "agent_thought_chunk",
  "tool_call",
  "tool_call_update",
  "plan",
  "plan_update",
  "plan_removed",
  "compaction_update",
  "compaction_summary_chunk",
]);

type PlanEntry = EventOf<"plan.updated">["entries"][number];

const PLAN_STATUS: Readonly<Record<string, PlanEntry["status"]>> = {
  in_progress: "active",
  completed: "done",
};

const LEVELS: Readonly<Record<string, "warning" | "error">> = { warning: "warning", error: "error" };

export function translateNotification(state: AcpState, method: string, params: JsonObject): Step {
  switch (method) {
    case AGENT_METHOD.update:
      return translateUpdate(state, params);
    case AGENT_METHOD.cancelRequest:
      return withdrawRequest(state, String(params.requestId));
    case AGENT_METHOD.elicitationComplete:
      return completeElicitation(state, params.elicitationId);
    default:
      if (AUTH_STATUS.has(method)) return [state, [authStatus(objectOf(params.authStatus))]];
      if (isChatter(method) || isExtension(method)) return [state, []];
      return [state, [{ type: "agent.unknown", native: method }]];
  }
}

function translateUpdate(state: AcpState, params: JsonObject): Step {
  const update = objectOf(params.update);
  const type = textOf(update.sessionUpdate) ?? "";
  const { session } = state;
  if (session && typeof params.sessionId === "string" && params.sessionId !== session.id) {
    return [state, [{ type: "agent.unknown", native: `session/update/${type}`, text: "of another session" }]];
  }
  if (state.isReplaying && HISTORY.has(type)) return [state, []];
  switch (type) {
    case "agent_message_chunk":
      return translateChunk(state, "text", update);
    case "agent_thought_chunk":
      return translateChunk(state, "reasoning", update);
    case "tool_call":
    case "tool_call_update":
      return translateToolCall(state, update);
    case "user_message_chunk":
      // An echo of the prompt.
      return [state, []];
    case "plan":
      return translatePlan(state, update.entries);
    case "plan_update":
      return translatePlan(state, objectOf(update.plan).entries);
    case "plan_removed":
      return translatePlan(state, []);
    case "available_commands_update":
      return [state, [{ type: "session.updated", commands: commandsOf(update.availableCommands) }]];
    case "current_mode_update":
      return updateMode(state, textOf(update.currentModeId));
    case "config_option_update": {
      const configuration = readConfiguration(state.configuration, update);
      return [
        { ...state, configuration },
        [{ type: "session.updated", ...settingsOf(configuration, state.configuration) }],
      ];
    }
    case "session_info_update":
      return translateSessionInfo(state, update);
    case "usage_update":
      return translateUsageUpdate(state, update);
    case "notice":
      return [state, [notice(update)]];
    case "compaction_update":
      return translateCompaction(state, update);
    case "compaction_summary_chunk":
      // The update that ends the compaction has the whole summary.
      return [state, []];
    default:
      return [state, [{ type: "agent.unknown", native: `session/update/${type}` }]];
  }
}

/** The agent no longer wants an answer to one of its requests. */
function withdrawRequest(state: AcpState, ask: string): Step {
  const rpc = withoutAsked(state.rpc, ask);
  if (rpc === state.rpc) return [state, []];
  return [{ ...state, rpc }, [{ type: "ask.closed", ask, outcome: "cancelled", delivered: false }]];
}

/** What was to be done on a page has been done there. */
function completeElicitation(state: AcpState, elicitation: unknown): Step {
  for (const [ask, { params }] of state.rpc.asked) {
    if (params.elicitationId === elicitation) {
      return [state, [{ type: "ask.closed", ask, outcome: "cancelled", delivered: true }]];
    }
  }
  return [state, []];
}

function authStatus({ label, detail, kind }: JsonObject): Draft {
  const text = [label, detail].flatMap((words) => textOf(words) ?? []).join(", ");
  const isMissing = kind === "none" || kind === "unauthenticated";
  return withoutUndefined({
    type: "auth.status" as const,
    state: isMissing ? ("required" as const) : ("ok" as const),
    text: text || undefined,
  });
}

function translatePlan(state: AcpState, value: unknown): Step {
  const [ended, ends] = endPart(state);
  const entries = objectsOf(value).flatMap((entry) => toPlanEntry(entry) ?? []);
  return [afterSign(ended), [...ends, { type: "plan.updated", entries }]];
}

function toPlanEntry({ content, status, priority }: JsonObject): PlanEntry | undefined {
  const text = textOf(content);
  if (text === undefined) return undefined;
  const isWeighed = priority === "high" || priority === "medium" || priority === "low";
  return {
    text,
    status: PLAN_STATUS[String(status)] ?? "pending",
    ...(isWeighed && { priority }),
  };
}

function commandsOf(value: unknown) {
  return objectsOf(value).flatMap(({ name, description, input }) => {
    const command = textOf(name);
    if (command === undefined) return [];
    return [
      withoutUndefined({
        name: command,
        description: textOf(description),
        hint: textOf(objectOf(input).hint),
      }),
    ];
  });
}

function updateMode(state: AcpState, mode: string | undefined): Step {
  if (mode === undefined) return [state, []];
  const configuration = withMode(state.configuration, mode);
  return [{ ...state, configuration }, [{ type: "session.updated", mode }]];
}

function translateSessionInfo(state: AcpState, update: JsonObject): Step {
  const title = textOf(update.title);
  const drafts: Draft[] = title === undefined ? [] : [{ type: "session.updated", title }];
  // The end of work the agent began by itself; that of a prompt is its answer.
  if (saysIdle(update) && state.hasPrompted && state.turn.prompts === 0) {
    const [ended, ends] = endPart(state);
    return [ended, [...drafts, ...ends, { type: "turn.ended", outcome: "completed", origin: "agent" }]];
  }
  return [state, drafts];
}

function notice({ severity, title, description }: JsonObject): Draft {
  return {
    type: "notice",
    level: LEVELS[String(severity)] ?? "info",
    code: "agent",
    text:
      [title, description].flatMap((words) => textOf(words) ?? []).join("\n") || "The agent gave a notice.",
  };
}

function translateCompaction(state: AcpState, { status, summary, error }: JsonObject): Step {
  if (status === "in_progress") return [state, [{ type: "compaction.started" }]];
  const text = objectsOf(summary)
    .flatMap((block) => textOf(block.text) ?? [])
    .join("\n");
  const isDone = status === "completed";
  return [
    state,
    [
      withoutUndefined({
        type: "compaction.ended" as const,
        summary: text || undefined,
        error: isDone ? undefined : (textOf(error) ?? `The compaction ended as ${String(status)}.`),
      }),
    ],
  ];
}
