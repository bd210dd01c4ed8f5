/** What Claude Code asks of us. Some of it a person decides; the rest is declined, so that it does not wait. */
import type { AskOption, AskQuestion } from "../../../core/ask.ts";
import type { Draft } from "../../../core/draft.ts";
import { isRecord } from "../../../core/is-record.ts";
import { withEntry, withoutEntry } from "../../transport/map-entry.ts";
import type { ClaudeState } from "../conversation-state.ts";
import type { CanUseTool, ControlRequestLine, Elicitation, WireQuestion } from "../wire.ts";
import { announceCall } from "./calls.ts";
import { elicitationQuestions } from "./elicitation-questions.ts";
import { permissionOptions, permissionTitle } from "./permission-options.ts";
import { proposedChange } from "./proposed-changes.ts";
import { textField } from "./tool-display.ts";

type Translation = readonly [ClaudeState, readonly Draft[]];
type OpenedAsk = Extract<Draft, { type: "ask.opened" }>;

const DECLINE_QUESTION: AskOption = { id: "deny", label: "Decline", effect: "reject" };

const PLAN_OPTIONS: AskOption[] = [
  { id: "approve", label: "Approve", effect: "once" },
  {
    id: "approve-accept-edits",
    label: "Approve and accept edits",
    effect: "always",
    covers: ["acceptEdits"],
    storedIn: "session",
  },
  { id: "reject", label: "Keep planning", effect: "reject" },
];

const ELICITATION_OPTIONS: AskOption[] = [
  { id: "decline", label: "Decline", effect: "reject" },
  { id: "cancel", label: "Cancel", effect: "other" },
];

export function readControlRequest(state: ClaudeState, line: ControlRequestLine): Translation {
  const { request_id: id, request } = line;
  if (isCanUseTool(request)) return openForTool(state, id, request);
  if (isElicitation(request)) return open(state, id, request, openedByServer(id, request));
  const { subtype } = request;
  return [
    { ...state, declined: [...state.declined, { id, subtype }] },
    [{ type: "agent.unknown", native: `control_request/${subtype}` }],
  ];
}

/** Claude Code does not want the answer any more. */
export function readControlCancel(state: ClaudeState, id: string): Translation {
  return [
    {
      ...state,
      asks: withoutEntry(state.asks, id),
      declined: state.declined.filter((request) => request.id !== id),
    },
    state.asks.has(id) ? [{ type: "ask.closed", ask: id, outcome: "cancelled", delivered: false }] : [],
  ];
}

function isCanUseTool(request: ControlRequestLine["request"]): request is CanUseTool {
  return request.subtype === "can_use_tool";
}

function isElicitation(request: ControlRequestLine["request"]): request is Elicitation {
  return request.subtype === "elicitation";
}

function open(
  state: ClaudeState,
  id: string,
  request: CanUseTool | Elicitation,
  draft: OpenedAsk,
): Translation {
  return [{ ...state, asks: withEntry(state.asks, id, request) }, [draft]];
}

/** A question may come before the call it is about. */
function openForTool(state: ClaudeState, ask: string, request: CanUseTool): Translation {
  const { tool_use_id: call, tool_name: name, input, agent_id: agent } = request;
  const parent = agent === undefined ? undefined : state.tasks.get(agent)?.call;
  const [known, announced] = state.calls.has(call)
    ? [state, []]
    : announceCall(state, { call, name, input, parent });
  const about = { ask, call, parent };
  const [next, opened] = open(known, ask, request, { ...openedByTool(known, request), ...about });
  return [next, [...announced, ...opened]];
}

function openedByTool(state: ClaudeState, request: CanUseTool): Omit<OpenedAsk, "ask"> {
  if (request.tool_name === "AskUserQuestion") return openedQuestion(request);
  if (request.tool_name === "ExitPlanMode") return openedPlan(state, request);
  const { blocked_path: blockedPath, decision_reason: reason } = request;
  const proposed = proposedChange(request.tool_name, request.input);
  const description = proposed?.note ?? request.description;
  const detail = blockedPath === undefined && reason === undefined ? undefined : { blockedPath, reason };
  return {
    type: "ask.opened",
    kind: "permission",
    title: permissionTitle(request),
    description,
    options: permissionOptions(request),
    // The answer has an `updatedInput`, which is run.
    editable: true,
    changes: proposed?.changes,
    detail,
  };
}

function openedQuestion({ input }: CanUseTool): Omit<OpenedAsk, "ask"> {
  const questions = wireQuestions(input);
  return {
    type: "ask.opened",
    kind: "question",
    title: questions[0]?.question ?? "The agent has a question",
    options: [DECLINE_QUESTION],
    questions: questions.map(toQuestion),
  };
}

export function wireQuestions({ questions }: CanUseTool["input"]): readonly WireQuestion[] {
  return Array.isArray(questions) ? questions : [];
}

export function questionId(index: number): string {
  return `q${index + 1}`;
}

function toQuestion(asked: WireQuestion, index: number): AskQuestion {
  const { question, header, options, multiSelect } = asked;
  return {
    id: questionId(index),
    text: question,
    header,
    options: options?.map(({ label, description }) => ({ label, description })),
    multiple: multiSelect,
    free: true,
  };
}

/** Some versions leave the plan out of the question; then the call has it. */
function openedPlan(state: ClaudeState, { input, tool_use_id: call }: CanUseTool): Omit<OpenedAsk, "ask"> {
  const called = state.calls.get(call)?.input;
  const plan = textField(input, "plan") ?? (isRecord(called) ? textField(called, "plan") : undefined);
  return {
    type: "ask.opened",
    kind: "plan",
    title: "Approve this plan?",
    description: plan,
    options: PLAN_OPTIONS,
  };
}

function openedByServer(ask: string, request: Elicitation): OpenedAsk {
  const { message, mcp_server_name: server, url } = request;
  const questions = elicitationQuestions(request);
  return {
    type: "ask.opened",
    ask,
    kind: "question",
    title: message,
    description: `The MCP server "${server}" asks.`,
    options:
      questions.length === 0
        ? [{ id: "accept", label: "Accept", effect: "once" }, ...ELICITATION_OPTIONS]
        : ELICITATION_OPTIONS,
    ...(questions.length > 0 && { questions }),
    url,
  };
}
