/** Opens a session: Claude Code introduces itself, tells its settings and gets the session's MCP servers. Pure. */
import type { McpServers } from "../../transport/mcp-servers.ts";
import type { OpeningStep } from "../../transport/translator.ts";
import type { ClaudeState } from "../conversation-state.ts";
import type { OwnRequest } from "../wire.ts";
import { requestLines } from "./lines.ts";

/** As a reason; explain-failure.ts says what to do. */
export const NOT_SIGNED_IN = "nobody is signed in to Claude Code";

/** A version that does not say what its settings are is not waited for. */
const SETTINGS_QUIET_MS = 1000;

/**
 * Without `forwardSubagentText` nothing that a sub-agent says or thinks is sent while Claude Code waits for it. All versions
 * take it here; older ones reject the flag `--forward-subagent-text`. A system prompt given here would replace Claude Code's
 * own, even an empty one.
 */
const INITIALIZE: OwnRequest = { subtype: "initialize", forwardSubagentText: true };

export function openingStep(state: ClaudeState, servers: McpServers): OpeningStep {
  const { opening } = state;
  if (opening === "sent") return { step: "wait" };
  if (opening === "new") return { step: "send", lines: requestLines(state, [INITIALIZE]) };
  if (opening !== "ready") return { step: "failed", reason: opening.failed };
  if (state.isSignedIn === false) return { step: "failed", reason: NOT_SIGNED_IN };
  if (!state.hasAskedSettings) {
    const hasServers = Object.keys(servers).length > 0;
    // In this order: it answers one after the other, and a server may take half a minute. Nobody waits for that: Claude Code
    // takes the first prompt when it has tried all servers.
    const asked = [{ subtype: "get_settings" as const }, { subtype: "mcp_set_servers" as const, servers }];
    return { step: "send", lines: requestLines(state, hasServers ? asked : asked.slice(0, 1)) };
  }
  return state.settings ? { step: "ready" } : { step: "settle", quietMs: SETTINGS_QUIET_MS };
}
