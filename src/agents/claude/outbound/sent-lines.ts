/** What we wrote, as far as it has to be remembered: answers name the request they belong to, not what it was. */
import { withEntry, withoutEntry } from "../../transport/map-entry.ts";
import type { ClaudeState } from "../conversation-state.ts";
import type { ControlResponse, OwnRequest, PermissionResult, PromptLine } from "../wire.ts";
import { afterPromptSent } from "./prompts.ts";

export function afterSent(state: ClaudeState, line: Readonly<Record<string, unknown>>): ClaudeState {
  switch (line.type) {
    case "user":
      return afterPromptSent(state, line as unknown as PromptLine);
    case "control_request":
      return afterRequest(state, line as unknown as { request_id: string; request: OwnRequest });
    case "control_response":
      return afterAnswer(state, line.response as ControlResponse);
    default:
      return state;
  }
}

function afterRequest(
  state: ClaudeState,
  { request_id: id, request }: { request_id: string; request: OwnRequest },
): ClaudeState {
  return {
    ...state,
    requestCount: state.requestCount + 1,
    requests: withEntry(state.requests, id, request),
    opening: request.subtype === "initialize" && state.opening === "new" ? "sent" : state.opening,
    hasAskedSettings: state.hasAskedSettings || request.subtype === "get_settings",
    isShuttingDown:
      state.isShuttingDown || (request.subtype === "interrupt" && request.interlingua === "leaving"),
  };
}

function afterAnswer(state: ClaudeState, answer: ControlResponse): ClaudeState {
  const { request_id: id } = answer;
  const ask = state.asks.get(id);
  const next = {
    ...state,
    asks: withoutEntry(state.asks, id),
    declined: state.declined.filter((request) => request.id !== id),
  };
  if (ask?.subtype !== "can_use_tool" || answer.subtype !== "success") return next;
  return {
    ...next,
    calls: withChangedInput(next.calls, ask.tool_use_id, answer.response as PermissionResult),
  };
}

/** A person changed the input: what is shown is no longer what runs. An answered question only gains its answers. */
function withChangedInput(
  calls: ClaudeState["calls"],
  id: string,
  result: PermissionResult,
): ClaudeState["calls"] {
  const call = calls.get(id);
  if (!call || result.behavior !== "allow" || result.updatedInput === undefined) return calls;
  if (call.name === "AskUserQuestion" || call.name === "ExitPlanMode") return calls;
  if (JSON.stringify(call.input) === JSON.stringify(result.updatedInput)) return calls;
  return withEntry(calls, id, { ...call, changedInput: result.updatedInput });
}
