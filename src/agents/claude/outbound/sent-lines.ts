/** What we wrote, as far as it has to be remembered: answers name the request they belong to, not what it was. */
import { withEntry, withoutEntry } from "../../transport/map-entry.ts";
import type { ClaudeState } from "../conversation-state.ts";
import type { ControlResponse, OwnRequest, PromptLine } from "../wire.ts";
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

function afterAnswer(state: ClaudeState, { request_id: id }: ControlResponse): ClaudeState {
  return {
    ...state,
    asks: withoutEntry(state.asks, id),
    declined: state.declined.filter((request) => request.id !== id),
  };
}
