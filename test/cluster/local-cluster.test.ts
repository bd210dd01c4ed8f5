/** deploy/local-cluster.ts, as a person would run it: several nodes behind a load balancer without sticky sessions. */
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type LocalCluster, startLocalCluster } from "../../deploy/local-cluster.ts";
import { eventually, run, SURROUNDINGS } from "../../src/cli/test-support.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import type { NodeView } from "../../src/core/nodes.ts";
import { DaemonClient, dataLines } from "../daemon-client.ts";

let root: string;
let cluster: LocalCluster;
let client: DaemonClient;

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), "il-local-cluster-"));
  cluster = await startLocalCluster({ nodes: 3, port: 0, root, environment: SURROUNDINGS });
  client = new DaemonClient(cluster);
});

afterAll(async () => {
  await cluster?.close();
  rmSync(root, { recursive: true, force: true });
});

async function nodes(): Promise<NodeView[]> {
  return (await client.call<{ nodes: NodeView[] }>("GET", "/v1/nodes")).nodes;
}

it("every node is asked in turn, and all list the same", async () => {
  const selves = new Set<string>();
  for (let call = 0; call < 6; call += 1) {
    const list = await nodes();
    expect(list.map(({ name }) => name)).toEqual(["node-1", "node-2", "node-3"]);
    selves.add(list.find(({ self }) => self)!.name);
  }
  expect(selves.size).toBe(3);
  const cli = await run(["nodes", "--url", cluster.url], {
    environment: { INTERLINGUA_TOKEN: cluster.token },
  });
  expect(cli.stdout.match(/ live /g)).toHaveLength(3);
});

it("streams and WebSockets pass", async () => {
  const feed = await client.request("GET", "/v1/feed/sse");
  for await (const line of dataLines(feed)) {
    expect(JSON.parse(line)).toMatchObject({ type: "snapshot" });
    break;
  }
  await client.call("POST", "/v1/sessions", { id: "s", agent: "mock", options: { pace: 0 } });
  // Whichever node gets it: the session is at one of them.
  const url = `${cluster.url.replace("http", "ws")}/v1/sessions/s/unified`;
  for (const _ of cluster.nodes) {
    const socket = new WebSocket(url, ["interlingua", `bearer.${cluster.token}`]);
    // Rejects where it is refused.
    await once(socket, "message");
    socket.close();
    await once(socket, "close");
  }
});

it("a node that is told to go gets no more requests, and one that died neither", async () => {
  const [first, second, third] = cluster.nodes;
  first!.process.kill("SIGTERM");
  await eventually("it has gone", () => first!.process.exitCode === 0);
  await eventually("two are ready", () => cluster.balancer.ready().length === 2);
  second!.process.kill("SIGKILL");
  await eventually("one is ready", () => cluster.balancer.ready().length === 1);
  expect(cluster.balancer.ready()).toEqual([third!.url]);
  await client.call("POST", "/v1/sessions", { id: "t", agent: "mock", options: { pace: 0 } });
  await client.prompt("t", "scenario:text");
  await eventually("the turn has ended", async () => {
    const { events } = await client.call<{ events: SessionEvent[] }>("GET", "/v1/sessions/t/events");
    return events.some(({ type }) => type === "turn.ended");
  });
  expect((await nodes()).map(({ name }) => name)).toEqual(["node-2", "node-3"]);
});
