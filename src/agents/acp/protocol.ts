/** The Agent Client Protocol without a process: for replay. */
import type { AgentProtocol } from "../transport/agent-protocol.ts";
import type { AcpAgent } from "./agent.ts";
import type { AcpState } from "./conversation-state.ts";
import { decodeCommands } from "./decode-commands.ts";
import { CAPABILITIES, NAME } from "./manifest.ts";
import { createOutbound, outbound } from "./outbound.ts";
import { PROTOCOL_VERSION } from "./wire.ts";

/** Of an agent that is not named. */
export const protocol: AgentProtocol<AcpState> = {
  name: NAME,
  capabilities: CAPABILITIES,
  translator: outbound,
  decodeCommands,
  refuses: ({ agent, opening }) =>
    agent !== undefined && agent.protocol !== PROTOCOL_VERSION && opening.isOpen
      ? `This is version ${agent.protocol} of the Agent Client Protocol, and only version ${PROTOCOL_VERSION} is understood. Record it with a client that asks for that.`
      : undefined,
};

export function protocolOf(agent: AcpAgent): AgentProtocol<AcpState> {
  const { name, capabilities } = agent;
  return {
    ...protocol,
    name,
    capabilities: { ...CAPABILITIES, ...capabilities },
    translator: createOutbound(agent),
  };
}
