/** Which nodes a load balancer sends requests to. */
import { setTimeout as sleep } from "node:timers/promises";
import type { NodeView } from "../../src/core/nodes.ts";
import { eventually } from "../../src/testkit/eventually.ts";
import type { DaemonClient } from "../daemon-client.ts";

/** Nodes limit the requests of an address, and all of these have one. */
export const REQUEST_PAUSE_MS = 10;

/** The names of the nodes that answer so many requests. */
export async function answeringNodes(client: DaemonClient, requests = 10): Promise<Set<string>> {
  const names = new Set<string>();
  for (let n = 0; n < requests; n += 1) {
    const { nodes } = await client.call<{ nodes: NodeView[] }>("GET", "/v1/nodes");
    names.add(nodes.find(({ self }) => self)!.name);
    await sleep(REQUEST_PAUSE_MS);
  }
  return names;
}

export async function untilAnswering(client: DaemonClient, count: number): Promise<void> {
  await eventually(`${count} nodes answer`, async () => (await answeringNodes(client)).size === count);
}
