/** Any agent that speaks the Agent Client Protocol over its pipes, run as one process for each session. */
import { type DefinedProtocol, defineProtocol } from "../transport/define-protocol.ts";
import { type AcpAgent, presetOf } from "./agent.ts";
import type { AcpState } from "./conversation-state.ts";
import { fromConfig } from "./custom-agent.ts";
import { decodeCommands } from "./decode-commands.ts";
import { CAPABILITIES, NAME } from "./manifest.ts";
import { memoryOf } from "./memory.ts";
import { open } from "./open.ts";
import { optionsSchema } from "./options.ts";
import { createOutbound, outbound } from "./outbound.ts";
import { probe } from "./probe.ts";
import { PROTOCOL_VERSION } from "./wire.ts";

export function protocolOf(agent: AcpAgent): DefinedProtocol<AcpState> {
  const { name, title, environmentKeys, capabilities } = agent;
  const program = presetOf(agent);
  return defineProtocol({
    name,
    title,
    capabilities: { ...CAPABILITIES, ...capabilities },
    environmentKeys,
    program,
    optionsSchema,
    // One from the config is replayed by the name of the protocol, so nothing of it may depend on the config.
    translator: program ? createOutbound(agent) : outbound,
    decodeCommands,
    refuses,
    probe: (resources) => probe(agent, resources),
    open: (session) => open(agent, session),
    memory: (resources) => memoryOf(agent, resources),
  });
}

/** For recordings of an agent that is not named. */
export const protocol = protocolOf(fromConfig({ name: NAME }));

function refuses({ agent, opening }: AcpState): string | undefined {
  if (agent === undefined || agent.protocol === PROTOCOL_VERSION || !opening.isOpen) return undefined;
  return `This is version ${agent.protocol} of the Agent Client Protocol, and only version ${PROTOCOL_VERSION} is understood. Record it with a client that asks for that.`;
}
