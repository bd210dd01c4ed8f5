/** The agent of our own: a loop of model and tools over any provider, with no program of others behind it. */
import { type DefinedProtocol, defineProtocol } from "../transport/define-protocol.ts";
import { settleModes } from "../transport/shared-modes.ts";
import type { ModelState } from "./conversation-state.ts";
import { decodeCommands } from "./decode-commands.ts";
import { assertProviderOf } from "./known-model.ts";
import { CAPABILITIES, MODEL_AGENTS, type ModelAgent, SETTINGS } from "./manifest.ts";
import { open } from "./open.ts";
import { optionsSchema } from "./options.ts";
import { outbound } from "./outbound.ts";
import { probe } from "./probe.ts";
import { type ModelServices, variables } from "./services.ts";
import { SessionDirectories } from "./session-directories.ts";

export function protocolOf(agent: ModelAgent, services: ModelServices): DefinedProtocol<ModelState> {
  const { name, title } = agent;
  const directories = new SessionDirectories();
  return defineProtocol({
    name,
    title,
    capabilities: CAPABILITIES,
    environmentKeys: variables(agent, services),
    takesHistory: true,
    optionsSchema,
    settings: SETTINGS,
    async settle(wanted, { environment }) {
      await assertProviderOf(wanted.model, agent, services, environment());
      return settleModes(title, wanted);
    },
    translator: outbound,
    decodeCommands,
    probe: ({ environment }) => probe(agent, services, environment()),
    open: (session) => open(agent, services, directories, session),
  });
}

/** The agent and those that are named after a provider. */
export function modelProtocols(services: ModelServices): DefinedProtocol<ModelState>[] {
  return MODEL_AGENTS.map((agent) => protocolOf(agent, services));
}
