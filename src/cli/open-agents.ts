/** The agents of a daemon with these settings, for commands that need no daemon. */
import { randomUUID } from "node:crypto";
import { createAgents } from "../agents/registry.ts";
import { customAgents, expandAgentEnvironments } from "../config/agent-config.ts";
import type { Config } from "../config/config.ts";
import { IN_MEMORY } from "../config/data-location.ts";
import type { BackendAdapter } from "../core/adapter.ts";
import type { Programs } from "../core/program.ts";
import { createPrograms } from "../install/local-programs.ts";
import { createProcessHost } from "../process/local-process-host.ts";
import type { ProcessHost } from "../process/process-host.ts";
import { searchPath } from "../process/search-path.ts";

export interface OpenAgents {
  readonly agents: ReadonlyMap<string, BackendAdapter>;
  readonly programs: Programs;
  readonly processHost: ProcessHost;
  /** Ends what they started. */
  close(): Promise<void>;
}

/** Throws a ConfigError for a variable that is not set. */
export function openAgents(config: Config, environment: NodeJS.ProcessEnv): OpenAgents {
  const added = expandAgentEnvironments(config.agents, environment);
  const processHost = createProcessHost({ daemonId: randomUUID(), environment, pass: config.env.pass });
  const programs = createPrograms({
    processHost,
    dataDirectory: config.data === IN_MEMORY ? undefined : config.data,
    searchPath: searchPath(environment),
    settings: config.agents,
  });
  const agents = createAgents({
    processHost,
    dataDirectory: config.data,
    programs,
    environmentOf: (agent) => ({ ...environment, ...added[agent] }),
    custom: customAgents(config.agents),
    models: { providers: config.providers, web: config.web },
  });
  return {
    agents,
    programs,
    processHost,
    async close() {
      await programs.close();
      await processHost.close();
    },
  };
}
