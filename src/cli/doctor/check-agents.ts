/** Whether the agents can be used, found out here and now without a daemon. */
import { randomUUID } from "node:crypto";
import { createAgents } from "../../agents/registry.ts";
import type { Config } from "../../config/config.ts";
import type { BackendAdapter } from "../../core/adapter.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import type { Finding } from "./finding.ts";

export async function checkAgents(config: Config, environment: NodeJS.ProcessEnv): Promise<Finding[]> {
  const processHost = createProcessHost({ daemonId: randomUUID(), environment, pass: config.env.pass });
  try {
    const agents = createAgents({ processHost, dataDirectory: config.data });
    const probed = await Promise.all([...agents.values()].map((agent) => probe(agent, config.agent)));
    return agents.has(config.agent) ? probed : [...probed, unknownAgent(config.agent, [...agents.keys()])];
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

function unknownAgent(name: string, known: readonly string[]): Finding {
  const detail = `there is no such agent. Choose the default with --agent: ${known.join(", ")}`;
  return { about: `agent ${name}`, state: "problem", detail };
}
