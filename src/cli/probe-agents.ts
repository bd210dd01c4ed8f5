/** Which agents there are and whether they can be used: as a daemon sees it, or as one that is started here would. */
import type { AgentStatus } from "../core/capability.ts";
import type { Client } from "../sdk/client.ts";
import type { Agent } from "../sdk/types.ts";
import type { OpenAgents } from "./open-agents.ts";

export interface ProbedAgent extends Pick<Agent, "name" | "title" | "capabilities" | "installable"> {
  readonly status: AgentStatus;
}

/** By the daemon. */
export async function probeAll({ agents }: Client): Promise<Agent[]> {
  const known = await agents.list();
  return Promise.all(known.map(({ name }) => agents.probe(name)));
}

/** By this process, in the form of the daemon. */
export function probeHere({ agents }: OpenAgents): Promise<ProbedAgent[]> {
  return Promise.all(
    [...agents.values()].map(async (adapter) => ({
      name: adapter.name,
      title: adapter.title ?? adapter.name,
      capabilities: adapter.capabilities,
      installable: adapter.program?.version,
      status: await adapter.probe(),
    })),
  );
}

/** Nobody needs all of them: what is not there is named in one line. */
export function splitMissing<Probed extends Pick<Agent, "name" | "status">>(
  probed: readonly Probed[],
): { present: Probed[]; missing: string[] } {
  return {
    present: probed.filter(({ status }) => !status?.missing),
    missing: probed.filter(({ status }) => status?.missing).map(({ name }) => name),
  };
}

export const HOW_TO_INSTALL = "Install one with `interlingua agents install NAME`";
