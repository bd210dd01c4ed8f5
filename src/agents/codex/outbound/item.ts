/** Items, as they start and as they are complete → drafts. */
import type { Draft } from "../../../core/draft.ts";
import { withEntry, withoutEntry } from "../../transport/map-entry.ts";
import type { Translation } from "../../transport/translator.ts";
import { type CodexState, withoutPrompt } from "../conversation-state.ts";
import type { WireItem, WireItemOf } from "../wire.ts";
import { agentActivity, endAgentCall, startAgentCall } from "./agent.ts";
import { endCommand, type Place, startCommand } from "./command.ts";
import type { Origin } from "./origin.ts";
import { endReasoning, endText, startText } from "./text.ts";
import {
  endDynamicCall,
  endFileChange,
  endMcpCall,
  endPicture,
  endSearch,
  lateResult,
  startDynamicCall,
  startFileChange,
  startImageView,
  startMcpCall,
  startPicture,
  startSearch,
} from "./tool.ts";
import { enterStep, startTurn } from "./turn.ts";

type Step = Translation<CodexState>;

/** Items that are no answer of the model, and so begin no step. */
const OUTSIDE_STEPS: readonly string[] = [
  "userMessage",
  "contextCompaction",
  "sleep",
  "hookPrompt",
  "enteredReviewMode",
  "exitedReviewMode",
];

export function startItem(state: CodexState, item: WireItem, place: Place, origin: Origin): Step {
  const isInStep = place.thread === state.thread && !OUTSIDE_STEPS.includes(item.type);
  const [entered, before] = isInStep ? enterStep(state) : ([state, []] as const);
  const [next, drafts, unread] = translateStart(entered, item, place, origin);
  return [next, before.length === 0 ? drafts : [...before, ...drafts], unread];
}

function translateStart(state: CodexState, item: WireItem, place: Place, origin: Origin): Step {
  switch (item.type) {
    case "userMessage":
      return place.thread === state.thread ? takePrompt(state, item) : [state, []];
    case "agentMessage":
    case "plan":
      return startText(state, item, place.thread, origin);
    case "reasoning":
      return [state, []];
    case "commandExecution":
      return startCommand(state, item, place, origin);
    case "fileChange":
      return [
        { ...state, changes: withEntry(state.changes, item.id, item.changes) },
        startFileChange(item, origin),
      ];
    case "mcpToolCall":
      return [withMcpCall(state, item.id, item.server), startMcpCall(item, origin)];
    case "dynamicToolCall":
      return [state, startDynamicCall(item, origin)];
    case "collabAgentToolCall":
      return [state, startAgentCall(item, origin)];
    case "subAgentActivity":
      return agentActivity(state, item, origin);
    case "webSearch":
      return [state, startSearch(item, origin)];
    case "imageView":
      return [state, startImageView(item, origin)];
    case "imageGeneration":
      return [state, startPicture(item, origin)];
    case "functionCallOutput":
      return [state, lateResult(item, origin)];
    case "contextCompaction":
      return [state, [{ type: "compaction.started" }]];
    case "enteredReviewMode":
      return beginReview(state, item, place);
    case "exitedReviewMode":
      // What it found is the message that follows.
      return [state, []];
    case "sleep":
    case "hookPrompt":
      // A pause, and what a hook told the model: nothing a person waits for.
      return [state, [], [`item/${item.type}`]];
    default:
      return [state, [unknownItem(item)]];
  }
}

export function completeItem(state: CodexState, item: WireItem, place: Place, origin: Origin): Step {
  switch (item.type) {
    case "agentMessage":
    case "plan":
      return endText(state, item, origin);
    case "reasoning":
      return endReasoning(state, item, place.thread, origin);
    case "commandExecution":
      return endCommand(state, item, origin);
    case "fileChange":
      return [{ ...state, changes: withoutEntry(state.changes, item.id) }, endFileChange(item, origin)];
    case "mcpToolCall":
      return [{ ...state, mcpCalls: withoutEntry(state.mcpCalls, item.id) }, endMcpCall(item, origin)];
    case "dynamicToolCall":
      return [state, endDynamicCall(item, origin)];
    case "collabAgentToolCall":
      return endAgentCall(state, item, origin);
    case "webSearch":
      return [state, endSearch(item, origin)];
    case "imageView":
      return [state, [{ type: "tool.output", call: item.id, output: "", ...origin }]];
    case "imageGeneration":
      return [state, endPicture(item, origin)];
    case "contextCompaction":
      return [state, [{ type: "compaction.ended" }]];
    default:
      // All that it says was said when it started; an unknown one was told of then.
      return [state, []];
  }
}

/** Codex has a prompt, and acts on it from here on. */
function takePrompt(state: CodexState, item: WireItemOf<"userMessage">): Step {
  const message = item.clientId ?? "";
  if (!state.prompts.includes(message)) return [state, []];
  const named = message === "" ? {} : { message };
  return [
    { ...withoutPrompt(state, message), isBetweenSteps: true },
    [
      { type: "prompt.received", ...named, native: item.id },
      { type: "prompt.taken", ...named },
    ],
  ];
}

/** A review tells of itself before its turn has started. */
function beginReview(state: CodexState, item: WireItemOf<"enteredReviewMode">, { turn }: Place): Step {
  if (state.turn) return [state, []];
  const [next] = startTurn(state, { id: turn });
  return [next, [{ type: "turn.started", cause: "review", text: `Review: ${item.review ?? "changes"}` }]];
}

function withMcpCall(state: CodexState, call: string, server: string): CodexState {
  return { ...state, mcpCalls: withEntry(state.mcpCalls, call, server) };
}

function unknownItem(item: { readonly type?: unknown }): Draft {
  return { type: "agent.unknown", native: `item/${String(item.type)}` };
}
