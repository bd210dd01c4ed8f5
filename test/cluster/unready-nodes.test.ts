/** Nodes that live and cannot serve clients beside the others: another client token, a wrong clock. */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { eventually } from "../../src/testkit/eventually.ts";
import { DaemonClient } from "../daemon-client.ts";
import { createSession, dispatchedIn, untilIdle } from "./node-sessions.ts";
import { endNode, type TestNode } from "./start-node.ts";
import { TestCluster } from "./test-cluster.ts";

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await TestCluster.start();
});

afterAll(() => cluster[Symbol.asyncDispose]());

afterEach(() => cluster.clear());

interface Readiness {
  status: string;
  problem?: string;
}

async function readiness(node: TestNode): Promise<Readiness> {
  return (await (await node.client.request("GET", "/v1/health/ready")).json()) as Readiness;
}

async function untilStatus(node: TestNode, status: string): Promise<void> {
  await eventually(`it is ${status}`, async () => (await readiness(node)).status === status);
}

interface ListedNode {
  name: string;
  state: string;
  problem?: string;
}

/** As a node sees them, by name. */
async function statesAt({ client }: TestNode): Promise<Record<string, ListedNode>> {
  const { nodes } = await client.call<{ nodes: ListedNode[] }>("GET", "/v1/nodes");
  return Object.fromEntries(nodes.map((node) => [node.name, node]));
}

describe("a node with another client token", () => {
  const withToken = (name: string, token: string, data = cluster.temporary()) =>
    cluster.startNode({ name, data, environment: { INTERLINGUA_TOKEN: token } });

  it("is not ready and says why, wherever it is asked, until it is started with the token of the others", async () => {
    const a = await withToken("a", "the-token-of-both");
    const data = cluster.temporary();
    const b = await withToken("b", "the-token-of-b", data);
    const problem = expect.stringMatching(/another client token than the node "a".*INTERLINGUA_TOKEN/);
    const response = await b.client.request("GET", "/v1/health/ready");
    expect(response.status).toBe(503);
    expect(await response.json()).toMatchObject({ status: "unready", problem });
    expect(b.log()).toContain("not ready: This node takes another client token");
    await eventually("the other one lists it", async () => (await statesAt(a)).b?.state === "unready");
    expect(await statesAt(a)).toMatchObject({ a: { state: "live" }, b: { problem } });
    expect(await statesAt(b)).toMatchObject({ a: { state: "live" }, b: { state: "unready", problem } });
    expect(await readiness(a)).toMatchObject({ status: "ok" });
    const stored = JSON.stringify(await cluster.query("SELECT * FROM interlingua.node"));
    for (const token of ["the-token-of-both", "the-token-of-b"]) expect(stored).not.toContain(token);

    // The other node reaches its sessions.
    await createSession(b, "s");
    await a.client.prompt("s", "scenario:text hello", "first");
    expect(dispatchedIn(await untilIdle(a, "s"))).toEqual(["first"]);

    await endNode(b, "SIGTERM");
    const again = await withToken("b", "the-token-of-both", data);
    expect(await readiness(again)).toMatchObject({ status: "ok" });
    expect((await statesAt(a)).b).toMatchObject({ state: "live" });
  });

  it("that takes theirs besides is ready, so that one node after the other can get a new token", async () => {
    const environment = { INTERLINGUA_TOKEN: "new-token", INTERLINGUA_FORMER_TOKEN: "former-token" };
    const [a, b] = [
      await withToken("a", "former-token"),
      await cluster.startNode({ name: "b", environment }),
    ];
    for (const node of [a, b]) expect(await readiness(node)).toMatchObject({ status: "ok" });
    const list = (node: TestNode, token: string) =>
      new DaemonClient({ url: node.client.url, token }).request("GET", "/v1/sessions");
    expect((await list(b, "former-token")).status).toBe(200);
    expect((await list(b, "new-token")).status).toBe(200);
    expect((await list(a, "new-token")).status).toBe(401);
    const c = await withToken("c", "new-token");
    await untilStatus(c, "unready");
    await endNode(a, "SIGTERM");
    for (const node of [b, c]) await untilStatus(node, "ok");
  });

  it("is ready as soon as those with the former token have gone", async () => {
    const [a, b] = [await withToken("a", "former-token"), await withToken("b", "new-token")];
    await untilStatus(b, "unready");
    await endNode(a, "SIGTERM");
    await untilStatus(b, "ok");
    const again = await withToken("a", "new-token");
    for (const node of [again, b]) expect(await readiness(node)).toMatchObject({ status: "ok" });
    expect(b.log()).toContain("agrees with the others again");
  });
});

describe("a node whose clock is wrong", () => {
  const CLOCK = {
    NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, "shifted-clock.ts"))}`,
    SHIFTED_CLOCK_MS: "300000",
  };

  it("is not ready, takes no sessions, and does both when its clock is set right", async () => {
    const a = await cluster.startNode({ name: "a" });
    await createSession(a, "s");
    await a.client.prompt("s", "scenario:hang", "first");
    await a.client.prompt("s", "scenario:text hello", "second");
    const b = await cluster.startNode({ name: "b", environment: CLOCK });
    const problem = expect.stringMatching(/The clock of this node is 300 s ahead of that of the node "a"/);
    expect(await readiness(b)).toMatchObject({ status: "unready", problem });
    expect(b.log()).toContain("not ready: The clock of this node");
    await eventually("the other one lists it", async () => (await statesAt(a)).b?.state === "unready");
    expect(await readiness(a)).toMatchObject({ status: "ok" });
    // Nobody else could reach it there.
    const refused = await b.client.request("POST", "/v1/sessions", { id: "t", agent: "mock" });
    expect(refused.status).toBe(503);
    await createSession(a, "u");
    expect(await a.client.call("GET", "/v1/sessions/u")).toMatchObject({ id: "u" });

    b.kill("SIGUSR2");
    await untilStatus(b, "ok");
    await eventually("the other one lists it", async () => (await statesAt(a)).b?.state === "live");
    await createSession(b, "t");
    expect(await a.client.call("GET", "/v1/sessions/t")).toMatchObject({ id: "t" });
    await endNode(a, "SIGKILL");
    expect(dispatchedIn(await untilIdle(b, "s"))).toEqual(["first", "second"]);
  });
});
