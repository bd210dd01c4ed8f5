/** The agents of a daemon with these settings, for commands that need no daemon. */
import { randomUUID } from "node:crypto";
import { type AgentContext, createAgents, loadAgents } from "../agents/registry.ts";
import { customAgents, expandAgentEnvironments, moduleAgents } from "../config/agent-config.ts";
import { checkCustomAgents } from "../config/check-custom-agents.ts";
import type { Config } from "../config/config.ts";
import { ConfigError } from "../config/config-error.ts";
import { IN_MEMORY } from "../config/data-location.ts";
import type { BackendAdapter } from "../core/adapter.ts";
import { InterlinguaError } from "../core/error.ts";
import type { Programs } from "../core/program.ts";
import { searchPath } from "../core/search-path.ts";
import { createPrograms } from "../install/local-programs.ts";
import { ModuleErrors } from "../modules/module-errors.ts";
import { createProcessHost } from "../process/local-process-host.ts";
import type { ProcessHost } from "../process/process-host.ts";

export interface OpenAgents {
  readonly agents: ReadonlyMap<string, BackendAdapter>;
  readonly programs: Programs;
  readonly processHost: ProcessHost;
  /** Ends what they started. */
  close(): Promise<void>;
}

/** Without those whose adapters are modules: nothing of them is run. Throws a ConfigError for a variable that is not set. */
export function openAgents(config: Config, environment: NodeJS.ProcessEnv): OpenAgents {
  const { context, close } = openContext(config, environment);
  return {
    agents: createAgents(context),
    programs: context.programs,
    processHost: context.processHost,
    close,
  };
}

/** All of them. Rejects with a ConfigError for a module that cannot be used, too. */
export async function openAllAgents(config: Config, environment: NodeJS.ProcessEnv): Promise<OpenAgents> {
  const { context, close } = openContext(config, environment);
  try {
    const modules = moduleAgents(config.agents);
    const agents = await loadAgents({
      ...context,
      modules,
      moduleErrors: new ModuleErrors(SILENT),
      logger: SILENT,
    });
    return { agents, programs: context.programs, processHost: context.processHost, close };
  } catch (error) {
    await close();
    throw InterlinguaError.isInstance(error) ? new ConfigError(error.message, { cause: error }) : error;
  }
}

const SILENT = { info() {}, warn() {}, error() {} };

function openContext(
  config: Config,
  environment: NodeJS.ProcessEnv,
): { context: AgentContext; close(): Promise<void> } {
  checkCustomAgents(config.agents);
  const added = expandAgentEnvironments(config.agents, environment);
  const custom = customAgents(config.agents, environment);
  const processHost = createProcessHost({ daemonId: randomUUID(), environment, pass: config.env.pass });
  const programs = createPrograms({
    processHost,
    dataDirectory: config.data === IN_MEMORY ? undefined : config.data,
    searchPath: searchPath(environment),
    settings: config.agents,
  });
  return {
    context: {
      processHost,
      dataDirectory: config.data,
      programs,
      programSettings: config.agents,
      environmentOf: (agent) => ({ ...environment, ...added[agent] }),
      custom,
      models: { providers: config.providers, web: config.web },
      startTimeoutMs: config.limits.connectTimeoutMs,
    },
    async close() {
      await programs.close();
      await processHost.close();
    },
  };
}
