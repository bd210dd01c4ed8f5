/** The opening of a session: after Claude Code has introduced itself and told its settings, it is given the session's MCP servers. Pure. */
import type { McpServers } from "../transport/mcp-servers.ts";
import type { Encoder } from "../transport/translator.ts";
import type { ClaudeState } from "./conversation-state.ts";
import { inbound, requestLines } from "./inbound.ts";

/** As a reason; explain-failure.ts says what to do. */
export const NOT_SIGNED_IN = "nobody is signed in to Claude Code";

/** A version that does not say what its settings are is not waited for. */
const SETTINGS_QUIET_MS = 1000;

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
      if (!state.hasAskedSettings) {
        const hasServers = Object.keys(servers).length > 0;
        // In this order: it answers one after the other, and a server may take half a minute.
        const asked = [
          { subtype: "get_settings" as const },
          { subtype: "mcp_set_servers" as const, servers },
        ];
        return { step: "send", lines: requestLines(state, hasServers ? asked : asked.slice(0, 1)) };
      }
      return state.settings ? opening : { step: "settle", quietMs: SETTINGS_QUIET_MS };
    },
  };
}
