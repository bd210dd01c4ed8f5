/** Amp without its process. */
import type { AgentProtocol } from "../transport/agent-protocol.ts";
import type { AmpState } from "./conversation-state.ts";
import { CAPABILITIES, NAME } from "./manifest.ts";
import { outbound } from "./outbound.ts";
import { recall } from "./recall.ts";

export const protocol: AgentProtocol<AmpState> = {
  name: NAME,
  capabilities: CAPABILITIES,
  translator: outbound,
  recall,
  processPerTurn: true,
};
