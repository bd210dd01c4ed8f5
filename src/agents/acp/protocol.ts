/** The Agent Client Protocol without a process: for replay. */
import type { AgentProtocol } from "../transport/agent-protocol.ts";
import type { AcpState } from "./conversation-state.ts";
import { CAPABILITIES, NAME } from "./manifest.ts";
import { outbound } from "./outbound.ts";
import { recall } from "./recall.ts";

export const protocol: AgentProtocol<AcpState> = {
  name: NAME,
  capabilities: CAPABILITIES,
  translator: outbound,
  recall,
};
