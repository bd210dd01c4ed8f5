/** All agents with whether they can be used, asked for one after the other while nobody waits. */
import { useEffect, useState } from "react";
import { useAgents } from "../agents/use-agents.tsx";
import { daemon } from "../api/client.ts";
import type { Agent } from "../api/types.ts";

/** A probe may start a program. */
const AT_ONCE = 2;

/** `revision` changes when there is a reason to look again. */
export function useProbedAgents(revision: unknown): readonly Agent[] {
  const list = useAgents();
  const [probed, setProbed] = useState<ReadonlyMap<string, Agent>>(new Map());
  // biome-ignore lint/correctness/useExhaustiveDependencies: an installation is a reason to look again
  useEffect(() => {
    const controller = new AbortController();
    const waiting = (list?.agents ?? []).map(({ name }) => name);
    async function work(): Promise<void> {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const request = { params: { agent: name } };
        const agent = await daemon()
          .call("GET /v1/agents/{agent}", request, controller.signal)
          .catch(() => undefined);
        if (controller.signal.aborted) return;
        if (agent) setProbed((before) => new Map(before).set(agent.name, agent));
      }
    }
    for (let worker = 0; worker < AT_ONCE; worker += 1) void work();
    return () => controller.abort();
  }, [list, revision]);
  return list?.agents.map((agent) => probed.get(agent.name) ?? agent) ?? [];
}
