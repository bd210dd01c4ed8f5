/** What Codex's messages mean, without a process. */
import type { AgentProtocol } from "../transport/agent-protocol.ts";
import type { CodexState } from "./conversation-state.ts";
import { decodeCommands } from "./decode-commands.ts";
import { CAPABILITIES, NAME } from "./manifest.ts";
import { outbound } from "./outbound.ts";

export const protocol: AgentProtocol<CodexState> = {
  name: NAME,
  capabilities: CAPABILITIES,
  translator: outbound,
  decodeCommands,
};
