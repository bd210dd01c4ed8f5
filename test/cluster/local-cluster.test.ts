/** deploy/local-cluster.ts, as a person would run it: several nodes behind a load balancer without sticky sessions. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { type LocalCluster, startLocalCluster } from "../../deploy/local-cluster.ts";
import { run, SURROUNDINGS } from "../../src/cli/test-support.ts";
import type { SessionEvent } from "../../src/core/event.ts";
import type { NodeView } from "../../src/core/nodes.ts";
import { eventually } from "../../src/testkit/eventually.ts";
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
  // They come back on their data directories.
  expect((await cluster.startEnded()).map(({ name }) => name)).toEqual(["node-1", "node-2"]);
  await eventually("three are ready", () => cluster.balancer.ready().length === 3);
  expect((await nodes()).map(({ state }) => state)).toEqual(["live", "live", "live"]);
});

it("the command says where logs are, that a node has ended, and how it is started again", async () => {
  const data = mkdtempSync(join(tmpdir(), "il-local-cluster-data-"));
  const script = join(import.meta.dirname, "../../deploy/start-cluster.ts");
  const words = ["--nodes", "1", "--port", "0", "--root", root, "--data", data];
  const child = spawn(process.execPath, [script, ...words], { env: SURROUNDINGS });
  const gone = once(child, "exit");
  let printed = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    printed += text;
  });
  const pids = () => [...printed.matchAll(/^node-1: \S+ \(pid (\d+)\), log (.*)$/gm)];
  try {
    await eventually("the node", () => pids().length === 1);
    const [, pid, log] = pids()[0]!;
    expect(log).toBe(join(data, "node-1.log"));
    expect(statSync(log!).mode & 0o777).toBe(0o600);
    expect(readFileSync(log!, "utf8")).toContain("this node lives");
    process.kill(Number(pid), "SIGKILL");
    const ended = () => /^node-1 ended \(SIGKILL\). Start it again with: kill -USR2 (\d+)$/m.exec(printed);
    await eventually("it is said", () => ended() !== null);
    expect(Number(ended()![1])).toBe(child.pid);
    process.kill(Number(ended()![1]), "SIGUSR2");
    await eventually("it runs again", () => pids().length === 2);
  } finally {
    child.kill("SIGINT");
    expect(await gone).toEqual([0, null]);
    rmSync(data, { recursive: true });
  }
  expect(printed).not.toContain("ended (exit code");
});
