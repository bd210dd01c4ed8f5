/** What Codex's messages mean, without a process. */
import type { AgentProtocol } from "../transport/agent-protocol.ts";
import type { CodexState } from "./conversation-state.ts";
import { CAPABILITIES, NAME } from "./manifest.ts";
import { outbound } from "./outbound.ts";
import { recall } from "./recall.ts";

export const protocol: AgentProtocol<CodexState> = {
  name: NAME,
  capabilities: CAPABILITIES,
  translator: outbound,
  recall,
};
