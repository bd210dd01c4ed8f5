/** The mock without its process. */
import type { AgentProtocol } from "../transport/agent-protocol.ts";
import type { MockState } from "./conversation-state.ts";
import { decodeCommands } from "./decode-commands.ts";
import { CAPABILITIES, NAME } from "./manifest.ts";
import { outbound } from "./outbound.ts";

export const protocol: AgentProtocol<MockState> = {
  name: NAME,
  capabilities: CAPABILITIES,
  translator: outbound,
  decodeCommands,
};
