/** Whether the agents can be used, found out here and now without a daemon. */
import { randomUUID } from "node:crypto";
import { createAgents } from "../../agents/registry.ts";
import { expandAgentEnvironments } from "../../config/agent-settings.ts";
import { checkAgentSettings } from "../../config/check-agent-settings.ts";
import type { Config } from "../../config/config.ts";
import { ConfigError } from "../../config/config-error.ts";
import { IN_MEMORY } from "../../config/data-location.ts";
import type { BackendAdapter } from "../../core/adapter.ts";
import { createPrograms } from "../../install/local-programs.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import { searchPath } from "../../process/search-path.ts";
import type { Finding } from "./finding.ts";

export async function checkAgents(config: Config, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const processHost = createProcessHost({ daemonId: randomUUID(), environment, pass: config.env.pass });
  try {
    const added = expandAgentEnvironments(config.agents, environment);
    const agents = createAgents({
      processHost,
      dataDirectory: config.data,
      programs: createPrograms({
        processHost,
        dataDirectory: config.data === IN_MEMORY ? undefined : config.data,
        searchPath: searchPath(environment),
        settings: config.agents,
      }),
      environmentOf: (agent) => ({ ...environment, ...added[agent] }),
    });
    const probed = await Promise.all([...agents.values()].map((agent) => probe(agent, config.agent)));
    return [...checkSettings(config, agents), ...probed];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return [{ about: "agents", state: "problem", detail: error.message }];
  } finally {
    await processHost.close();
  }
}

async function probe(agent: BackendAdapter, defaultAgent: string): Promise<Finding> {
  const about = `agent ${agent.name}`;
  const { installed, signedIn, version, remedy } = await agent.probe();
  if (installed && signedIn !== false) return { about, state: "ok", detail: version ?? "installed" };
  const detail = remedy ?? (installed ? "is not signed in" : "is not installed");
  // Nobody needs all agents, but the one that chats begin with must work.
  return { about, state: agent.name === defaultAgent ? "problem" : "warning", detail };
}

function checkSettings(config: Config, agents: ReadonlyMap<string, BackendAdapter>): Finding[] {
  try {
    checkAgentSettings(config, agents);
    return [];
  } catch (error) {
    return [{ about: "agents", state: "problem", detail: (error as Error).message }];
  }
}
