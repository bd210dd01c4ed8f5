/** Claude Code without its process. */
import type { AgentProtocol } from "../transport/agent-protocol.ts";
import type { ClaudeState } from "./conversation-state.ts";
import { decodeCommands } from "./decode-commands.ts";
import { CAPABILITIES, NAME } from "./manifest.ts";
import { outbound } from "./outbound.ts";

export const protocol: AgentProtocol<ClaudeState> = {
  name: NAME,
  capabilities: CAPABILITIES,
  translator: outbound,
  decodeCommands,
};
