/** The names of the agents there are: those a daemon has, else those that come with Interlingua and those of the config. */
import type { Invocation } from "./command.ts";
import { connectDaemon } from "./connect-daemon.ts";
import { NoDaemonError } from "./find-daemon.ts";
import { UsageError } from "./usage-error.ts";

export async function agentNames(invocation: Invocation): Promise<string[]> {
  try {
    const client = await connectDaemon(invocation);
    return (await client.agents.list()).map(({ name }) => name);
  } catch (error) {
    if (!(error instanceof NoDaemonError)) throw error;
    return namesHere(invocation);
  }
}

async function namesHere({ flags, environment, cwd }: Invocation): Promise<string[]> {
  const { AGENT_NAMES } = await import("../agents/registry.ts");
  const { customNames } = await import("../config/agent-config.ts");
  const { resolveConfig } = await import("../config/resolve-config.ts");
  const config = resolveConfig({ flags: { data: flags.values.data }, environment, cwd });
  return [...AGENT_NAMES, ...customNames(config.agents)];
}

/** For a flag that found nothing. Sessions of an agent that is gone are found by its name all the same. */
export async function assertAgentFlag(invocation: Invocation): Promise<void> {
  const name = invocation.flags.text("agent");
  if (name === undefined) return;
  const names = await agentNames(invocation);
  if (names.includes(name)) return;
  const { agentNotFound } = await import("../protocol/refusals.ts");
  throw new UsageError(`--agent: ${agentNotFound(name, names).message}`);
}
