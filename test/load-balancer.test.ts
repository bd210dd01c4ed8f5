/** deploy/load-balancer.ts before nodes that are gone, and before none. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterEach, expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { type LoadBalancer, startLoadBalancer } from "../deploy/load-balancer.ts";

/** Only the look at its start, and those that a test asks for. */
const NEVER_MS = 1_000_000;

const opened: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of opened.splice(0).reverse()) await close();
});

interface FakeNode {
  readonly url: string;
  readonly server: Server;
  /** What it was asked, with the body. */
  readonly asked: string[];
  /** Nobody listens any more. */
  end(): Promise<void>;
}

async function startFakeNode(): Promise<FakeNode> {
  const asked: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.url !== "/v1/health/ready")
      asked.push(`${request.method} ${request.url} ${await text(request)}`);
    response.end("done");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  opened.push(end);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, server, asked, end };
}

async function startBalancer(nodes: readonly FakeNode[]): Promise<LoadBalancer> {
  const balancer = await startLoadBalancer({
    nodes: () => nodes.map(({ url }) => url),
    port: 0,
    probeMs: NEVER_MS,
  });
  opened.push(() => balancer.close());
  return balancer;
}

it("a POST whose node takes no connection goes to the next one, with its body", async () => {
  const [gone, other] = [await startFakeNode(), await startFakeNode()];
  const balancer = await startBalancer([gone, other]);
  expect(balancer.ready()).toHaveLength(2);
  await gone.end();
  for (const body of ["one", "x".repeat(300_000)]) {
    const response = await fetch(`${balancer.url}/v1/sessions`, { method: "POST", body });
    expect([response.status, await response.text()]).toEqual([200, "done"]);
    expect(other.asked.pop()).toBe(`POST /v1/sessions ${body}`);
  }
  expect(balancer.ready()).toEqual([other.url]);
});

it("what a node may have done is not given to another; a GET is", async () => {
  const [broken, other] = [await startFakeNode(), await startFakeNode()];
  const balancer = await startBalancer([broken, other]);
  broken.server.removeAllListeners("request").on("request", ({ socket }) => socket.destroy());
  const posted = await fetch(`${balancer.url}/x`, { method: "POST", body: "one" });
  expect(posted.status).toBe(502);
  expect(posted.headers.get("content-type")).toBe("application/problem+json");
  expect(await posted.json()).toMatchObject({
    status: 502,
    code: "node_unreachable",
    detail: expect.stringContaining("may have done"),
  });
  expect(other.asked).toEqual([]);
  broken.server.on("request", (_, response) => response.end());
  const again = await startBalancer([broken, other]);
  broken.server.removeAllListeners("request").on("request", ({ socket }) => socket.destroy());
  for (let call = 0; call < 2; call += 1) expect((await fetch(`${again.url}/x`)).status).toBe(200);
  expect(other.asked).toEqual(["GET /x ", "GET /x "]);
});

it("without a node that is ready the answer is a problem that says what to do", async () => {
  const node = await startFakeNode();
  const balancer = await startBalancer([node]);
  await node.end();
  for (const method of ["GET", "POST"]) {
    const response = await fetch(balancer.url, { method });
    expect(response.status).toBe(503);
    expect(response.headers.get("content-type")).toBe("application/problem+json");
    expect(await response.json()).toMatchObject({
      code: "node_unreachable",
      detail: expect.stringContaining("No node is ready. Try again"),
    });
  }
});

it("a WebSocket goes to the next node, too", async () => {
  const [gone, other] = [await startFakeNode(), await startFakeNode()];
  const sockets = new WebSocketServer({ server: other.server });
  sockets.on("connection", (socket) => socket.send("hello"));
  const balancer = await startBalancer([gone, other]);
  await gone.end();
  const socket = new WebSocket(balancer.url.replace("http", "ws"));
  const message = await new Promise((resolve, reject) => socket.on("message", resolve).on("error", reject));
  expect(String(message)).toBe("hello");
  socket.close();
});
