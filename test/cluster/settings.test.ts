/** Settings made over HTTP at one node hold at all nodes. Answers about the machine of one node name it. */
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import type { NodeView } from "../../src/core/nodes.ts";
import type { TestNode } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await TestCluster.start();
});

afterAll(() => cluster[Symbol.asyncDispose]());

afterEach(() => cluster.clear());

function read({ client }: TestNode, path: string): Promise<Record<string, unknown>> {
  return client.call("GET", path);
}

it("tokens, invitations, sessions and dialogs that were set at one node are so at the other, and at one that comes later", async () => {
  const [a, b] = await Promise.all([cluster.startNode(), cluster.startNode()]);
  await a.client.call("POST", "/v1/sessions", {
    id: "s",
    agent: "mock",
    cwd: cluster.root,
    metadata: { a: 1 },
  });
  await a.client.call("POST", "/v1/tokens", { name: "ada", role: "participant", sessions: ["s"] });
  await a.client.call("POST", "/v1/sessions/s/invitations", { role: "observer", name: "bert" });
  const labels = { title: "A title", pinned: true, archived: true, mode: "plan", metadata: { b: 2 } };
  await b.client.call("PATCH", "/v1/sessions/s", labels);
  // Both work in the same directory, so a dialog of one is one of the other.
  const dialog = await a.client.call<{ id: string }>("POST", "/agentsmithy/api/dialogs", {
    title: "first",
    set_current: true,
  });
  await a.client.call("POST", "/agentsmithy/api/dialogs", { title: "second", set_current: true });
  await b.client.call("PATCH", `/agentsmithy/api/dialogs/current?id=${dialog.id}`);
  await b.client.call("PUT", "/agentsmithy/api/config", {
    config: { models: { agents: { universal: { workload: "mock-large" } } } },
  });
  const c = await cluster.startNode();
  for (const node of [a, b, c]) {
    expect(await read(node, "/v1/sessions/s")).toMatchObject(labels);
    expect(await read(node, "/v1/tokens")).toMatchObject({ tokens: [{ name: "ada", sessions: ["s"] }] });
    expect(await read(node, "/v1/sessions/s/invitations")).toMatchObject({ invitations: [{ name: "bert" }] });
    expect(await read(node, "/agentsmithy/api/dialogs/current")).toMatchObject({ id: dialog.id });
    expect(JSON.stringify(await read(node, "/agentsmithy/api/config"))).toContain('"workload":"mock-large"');
  }
});

it("programs of agents are those of the node that was called, which is named; two nodes of one name differ", async () => {
  const [a, b, again] = [
    await cluster.startNode({ name: "a" }),
    await cluster.startNode({ name: "b" }),
    await cluster.startNode({ name: "b" }),
  ];
  const numbers = new Set<unknown>();
  for (const [node, name] of [
    [a, "a"],
    [b, "b"],
    [again, "b"],
  ] as const) {
    const { nodes } = await node.client.call<{ nodes: NodeView[] }>("GET", "/v1/nodes");
    const named = { node: name, nodeNumber: nodes.find(({ self }) => self)!.id };
    const { agents } = await node.client.call<{ agents: object[] }>("GET", "/v1/agents");
    for (const agent of agents) expect(agent).toMatchObject(named);
    expect(await read(node, "/v1/agents/mock")).toMatchObject({ name: "mock", ...named });
    numbers.add(named.nodeNumber);
  }
  expect(numbers.size).toBe(3);
});
