/** The opening of a session: after Claude Code has introduced itself, it is given the session's MCP servers. Pure. */
import type { McpServers } from "../../transport/mcp-servers.ts";
import type { OpeningStep } from "../../transport/translator.ts";
import type { ClaudeState } from "../conversation-state.ts";
import { requestLines } from "./lines.ts";

/** As a reason; explain-failure.ts says what to do. */
export const NOT_SIGNED_IN = "nobody is signed in to Claude Code";

export function openingStep(state: ClaudeState, servers: McpServers): OpeningStep {
  const { opening } = state;
  if (opening === "sent") return { step: "wait" };
  // A system prompt given here would replace Claude Code's own, even an empty one.
  if (opening === "new") return { step: "send", lines: requestLines(state, [{ subtype: "initialize" }]) };
  if (opening !== "ready") return { step: "failed", reason: opening.failed };
  if (state.isSignedIn === false) return { step: "failed", reason: NOT_SIGNED_IN };
  if (Object.keys(servers).length === 0 || state.hasMcpServers) return { step: "ready" };
  // Nobody waits for the answer: Claude Code takes the first prompt when it has tried all servers, and one that does
  // not answer takes it half a minute.
  return { step: "send", lines: requestLines(state, [{ subtype: "mcp_set_servers", servers }]) };
}
