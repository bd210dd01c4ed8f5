/** Lines for requests of our own to Claude Code. Pure. */
import type { ClaudeState } from "../conversation-state.ts";
import { ownRequestId } from "../request-id.ts";
import type { OwnRequest } from "../wire.ts";

export function requestLines({ requestCount }: ClaudeState, requests: readonly OwnRequest[]): string[] {
  return requests.map((request, index) =>
    JSON.stringify({ type: "control_request", request_id: ownRequestId(requestCount + index + 1), request }),
  );
}
