/** The opening of a session: after Claude Code has introduced itself and told its settings, it is given the session's MCP servers. Pure. */
import type { McpServers } from "../transport/mcp-servers.ts";
import type { Encoder } from "../transport/translator.ts";
import type { ClaudeState } from "./conversation-state.ts";
import { inbound, requestLines } from "./inbound.ts";

/** As a reason; explain-failure.ts says what to do. */
export const NOT_SIGNED_IN = "nobody is signed in to Claude Code";

/**
 * Their answer is not waited for: Claude Code takes the first prompt when it has tried all servers, and one that does
 * not answer takes it half a minute.
 */
export function createEncoder(servers: McpServers): Encoder<ClaudeState> {
  return {
    ...inbound,
    open(state) {
      const opening = inbound.open(state);
      if (opening.step !== "ready") return opening;
      if (state.isSignedIn === false) return { step: "failed", reason: NOT_SIGNED_IN };
      // Before the servers: it answers in order, and one of those may take half a minute.
      if (state.settings === undefined) {
        const isAsked = [...state.requests.values()].some(({ subtype }) => subtype === "get_settings");
        return isAsked
          ? { step: "wait" }
          : { step: "send", lines: requestLines(state, [{ subtype: "get_settings" }]) };
      }
      if (Object.keys(servers).length === 0 || state.hasMcpServers) return opening;
      return { step: "send", lines: requestLines(state, [{ subtype: "mcp_set_servers", servers }]) };
    },
  };
}
