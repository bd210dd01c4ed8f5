/** Checks without a daemon whether the agents can be used. */
import { checkAgentConfig } from "../../config/check-agent-config.ts";
import type { Config } from "../../config/config.ts";
import { ConfigError } from "../../config/config-error.ts";
import type { BackendAdapter } from "../../core/adapter.ts";
import { openAgents } from "../open-agents.ts";
import type { Finding } from "./finding.ts";

export async function checkAgents(config: Config, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  try {
    return await examine(config, environment);
  } catch (error) {
    if (error instanceof ConfigError) return [problem(error)];
    throw error;
  }
}

async function examine(config: Config, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const { agents, close } = openAgents(config, environment);
  try {
    const probed = await Promise.all([...agents.values()].map((agent) => probe(agent, config.agent)));
    return [...checkSettings(config, agents), ...probed];
  } finally {
    await close();
  }
}

function checkSettings(config: Config, agents: ReadonlyMap<string, BackendAdapter>): Finding[] {
  try {
    checkAgentConfig(config, agents);
    return [];
  } catch (error) {
    return [problem(error as Error)];
  }
}

function problem({ message }: Error): Finding {
  return { about: "agents", state: "problem", detail: message };
}

async function probe(agent: BackendAdapter, defaultAgent: string): Promise<Finding> {
  const about = `agent ${agent.name}`;
  const { installed, signedIn, version, remedy } = await agent.probe();
  if (installed && signedIn !== false && remedy === undefined)
    return { about, state: "ok", detail: version ?? "installed" };
  const detail = remedy ?? (installed ? "is not signed in" : "is not installed");
  // Nobody needs all agents, but the default one must work.
  return { about, state: agent.name === defaultAgent ? "problem" : "warning", detail };
}
