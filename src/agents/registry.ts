/** Every agent there is. Adding one is a folder beside this file and a line in it. */
import type { BackendAdapter } from "../core/adapter.ts";
import { AGENT_ALIASES } from "../core/agent-alias.ts";
import { InterlinguaError } from "../core/error.ts";
import type { ModuleErrors, ModuleLogger } from "../modules/module-errors.ts";
import { type CustomAgent, fromConfig } from "./acp/custom-agent.ts";
import { PRESETS } from "./acp/presets.ts";
import { protocol as acp, protocolOf } from "./acp/protocol.ts";
import { agentDirectory } from "./agent-directory.ts";
import { protocol as amp } from "./amp/protocol.ts";
import { ASKING_RULES, declaredRules, hasOptions } from "./asking-rules.ts";
import { protocol as claude } from "./claude/protocol.ts";
import { protocol as codex } from "./codex/protocol.ts";
import { protocol as mock } from "./mock/protocol.ts";
import { modelProtocols } from "./model/protocol.ts";
import type { ModelServices } from "./model/services.ts";
import { protocol as opencode } from "./opencode/protocol.ts";
import type { ModuleAgent } from "./outside/adapter-module.ts";
import type { AgentProtocol } from "./transport/agent-protocol.ts";
import type { AgentMeans, DefinedProtocol } from "./transport/define-protocol.ts";

const AGENTS = agentsWith({ providers: {} });

function agentsWith(services: ModelServices): readonly DefinedProtocol[] {
  const models = modelProtocols(services);
  return [claude, codex, opencode, amp, ...models, mock, ...PRESETS.map(protocolOf)];
}

/** Of those that come with Interlingua. */
export const AGENT_NAMES: readonly string[] = AGENTS.map(({ name }) => name);

/** What every agent's messages mean, for replay. The name of the protocol stands for ACP agents that are not named. */
export const PROTOCOLS: ReadonlyMap<string, AgentProtocol> = new Map(
  [...AGENTS, acp].map((protocol) => [protocol.name, protocol]),
);

interface ConfiguredProgram {
  readonly command?: string | readonly string[];
}

export interface AgentContext extends Pick<AgentMeans, "processHost" | "programs" | "startTimeoutMs"> {
  /** The daemon's data directory, or `:memory:`. */
  readonly dataDirectory: string;
  /** The daemon's environment with what the config adds for an agent. Secret: for looking, not for logging. */
  environmentOf(agent: string): NodeJS.ProcessEnv;
  /** What the config says of the programs of agents, by name. */
  readonly programSettings?: Readonly<Record<string, ConfiguredProgram>>;
  /** Agents that only the config knows. */
  readonly custom?: readonly CustomAgent[];
  /** Where models are and what their tools may reach, besides what is built in. */
  readonly models?: ModelServices;
}

/** What agents from outside are made with, too. */
export interface OutsideContext extends AgentContext {
  /** Agents whose adapters are modules that the config names. */
  readonly modules: readonly ModuleAgent[];
  readonly moduleErrors: ModuleErrors;
  readonly logger: ModuleLogger;
}

/** Those of `createAgents` and those of modules. Rejects with `invalid_request` for a module that cannot be used. */
export async function loadAgents(context: OutsideContext): Promise<ReadonlyMap<string, BackendAdapter>> {
  const agents = createAgents(context);
  const { modules, moduleErrors: errors, logger, processHost, programs, startTimeoutMs } = context;
  if (modules.length === 0) return agents;
  // Nearly nobody has one.
  const { loadModuleAgents } = await import("./outside/load-module-agents.ts");
  const inTurn = createQueue();
  const loaded = await loadModuleAgents(modules, {
    taken: [...agents.keys(), ...AGENT_ALIASES],
    errors,
    contextOf: (name) => ({
      processHost,
      programs,
      startTimeoutMs,
      environment: () => context.environmentOf(name),
      directory: agentDirectory(context.dataDirectory, name),
      inTurn,
      logger,
    }),
  });
  return new Map([
    ...agents,
    ...loaded.map((adapter) => [adapter.name, withRules(adapter, modules)] as const),
  ]);
}

/**
 * The adapters by their names.
 *
 * @example const session = await createAgents(context).get("mock")?.connect({ sessionId, cwd });
 */
export function createAgents(context: AgentContext): ReadonlyMap<string, BackendAdapter> {
  const { processHost, programs, startTimeoutMs, dataDirectory, environmentOf, custom = [] } = context;
  const { models = { providers: {} } } = context;
  for (const { name } of custom) {
    if ([...AGENT_NAMES, ...AGENT_ALIASES].includes(name)) {
      throw new InterlinguaError(
        "invalid_request",
        `agents.${name}.protocol: the agent "${name}" comes with Interlingua. Give yours another name.`,
      );
    }
  }
  const inTurn = createQueue();
  const agents = [...agentsWith(models), ...custom.map((agent) => protocolOf(fromConfig(agent)))];
  const adapters = agents.map(({ name, createAdapter }) =>
    createAdapter({
      processHost,
      programs,
      startTimeoutMs,
      environment: () => environmentOf(name),
      directory: agentDirectory(dataDirectory, name),
      inTurn,
    }),
  );
  return new Map(
    adapters.map((adapter) => {
      const command = context.programSettings?.[adapter.name]?.command;
      return [adapter.name, withDoubt(withRules(adapter, custom), command)];
    }),
  );
}

/** The rules were reviewed for the agent without further options. A custom agent declares its own, for its whole command. */
function withDoubt(adapter: BackendAdapter, command: ConfiguredProgram["command"]): BackendAdapter {
  const { name, asking } = adapter;
  const reviewed = Object.hasOwn(ASKING_RULES, name);
  if (!reviewed || !asking || !hasOptions(command)) return adapter;
  return {
    ...adapter,
    asking: { ...asking, doubt: `the options in agents.${name}.command can change what it asks` },
  };
}

/** What was reviewed of an agent, or what the config says of one of its own. */
function withRules(adapter: BackendAdapter, own: readonly (CustomAgent | ModuleAgent)[]): BackendAdapter {
  const { name } = adapter;
  const declared = own.find((agent) => agent.name === name)?.asks;
  const reviewed = Object.hasOwn(ASKING_RULES, name) ? ASKING_RULES[name] : undefined;
  return { ...adapter, asking: reviewed ?? (declared && declaredRules(declared)) };
}

/** Runs one piece of work after the other, also when one fails. */
function createQueue(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const next = last.then(work, work);
    last = next;
    return next;
  };
}
