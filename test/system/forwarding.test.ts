/** The files of deploy/ for load balancers, in the real programs before servers that behave as nodes do at their worst. */
import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "../../src/testkit/eventually.ts";
import { startBalancer } from "./balancer.ts";
import { freePorts } from "./free-ports.ts";
import { findSystemProgram, SYSTEM_PROGRAMS } from "./system-program.ts";

/** Answers as a node does whose probes are fine. */
interface FakeNode {
  readonly port: number;
  readonly server: Server;
  /** What clients asked. */
  readonly asked: string[];
  /** The status of its probes. */
  readiness: number;
  answer: RequestListener;
}

let nodes: FakeNode[];
let balancerPort: number;

beforeEach(async () => {
  const [port, ...ports] = await freePorts(4);
  balancerPort = port!;
  nodes = await Promise.all(ports.map(startFakeNode));
});

afterEach(() => {
  for (const { server } of nodes) {
    server.close();
    server.closeAllConnections();
  }
});

async function startFakeNode(port: number): Promise<FakeNode> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    if (request.url === "/v1/health/ready") return response.writeHead(node.readiness).end();
    asked.push(`${request.method} ${request.url}`);
    node.answer(request, response);
  });
  // A server that answers before it has the body makes a balancer close the connection.
  const answer: RequestListener = (request, response) => request.resume().on("end", () => response.end());
  const node: FakeNode = { port, server, asked, readiness: 200, answer };
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return node;
}

function allAsked(): string[] {
  return nodes.flatMap(({ asked }) => asked);
}

describe.each(SYSTEM_PROGRAMS)("%s", (name) => {
  const program = findSystemProgram(name);

  async function start() {
    return startBalancer({
      name,
      program: program!,
      port: balancerPort,
      nodes: nodes.map(({ port }) => port),
    });
  }

  test.skipIf(!program)("a POST that a node may have begun is not repeated", async () => {
    await using balancer = await start();
    for (const node of nodes) node.answer = ({ socket }) => socket.destroy();
    const status = await fetch(`${balancer.url}/prompt`, { method: "POST", body: "x" }).then(
      (response) => response.status,
      () => 502,
    );
    expect(status).toBe(502);
    expect(allAsked()).toEqual(["POST /prompt"]);
  });

  test.skipIf(!program)("a request goes to another node where nobody listens", async () => {
    await using balancer = await start();
    nodes[1]!.server.close();
    nodes[1]!.server.closeAllConnections();
    for (let n = 0; n < 6; n += 1) {
      const response = await fetch(`${balancer.url}/prompt`, { method: "POST", body: "x".repeat(200_000) });
      expect(response.status).toBe(200);
    }
    expect(allAsked()).toHaveLength(6);
    expect(nodes[1]!.asked).toEqual([]);
  });

  test.skipIf(!program)("no answer to a client takes a node out", async () => {
    await using balancer = await start();
    for (const node of nodes)
      node.answer = ({ url, socket }, response) => {
        if (url === "/breaks") socket.destroy();
        else response.writeHead(url === "/" ? 200 : Number(url!.slice(1))).end();
      };
    for (let n = 0; n < 10; n += 1)
      for (const path of ["/503", "/500", "/502", "/504", "/breaks"]) {
        const response = await fetch(balancer.url + path, { method: n % 2 === 0 ? "GET" : "POST" }).catch(
          () => undefined,
        );
        await response?.text();
      }
    for (const node of nodes) node.asked.length = 0;
    for (let n = 0; n < 9; n += 1) expect((await fetch(balancer.url)).status).toBe(200);
    expect(nodes.map(({ asked }) => asked.length > 0)).toEqual([true, true, true]);
  });

  test.skipIf(!program)(
    "a node that is not ready gets nothing until it is; without one the answer is 503",
    async () => {
      await using balancer = await start();
      const answering = async () => {
        for (const node of nodes) node.asked.length = 0;
        for (let n = 0; n < 6; n += 1) await (await fetch(balancer.url)).text();
        return nodes.map(({ asked }) => asked.length > 0);
      };
      nodes[0]!.readiness = 503;

      await eventually("it is left out", async () => !(await answering())[0]);
      expect(await answering()).toEqual([false, true, true]);
      for (const node of nodes) node.readiness = 503;
      await eventually("nobody is ready", async () => (await fetch(balancer.url)).status === 503);
      for (const node of nodes) node.readiness = 200;
      await eventually("all are ready", async () => (await answering()).every(Boolean));
    },
  );

  test.skipIf(!program)("an answer and a request pass while they are written", async () => {
    await using balancer = await start();
    // The node sends back what it gets, at once.
    for (const node of nodes)
      node.answer = (request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        request.pipe(response);
      };
    const body = new TransformStream<Uint8Array, Uint8Array>();
    const writer = body.writable.getWriter();
    const first = writer.write(Buffer.from("first\n"));
    const init = { method: "POST", body: body.readable, duplex: "half" };
    const response = await fetch(balancer.url, init as RequestInit);
    await first;
    const reader = response.body!.getReader();
    expect(String(Buffer.from((await reader.read()).value!))).toBe("first\n");
    // The next part is written only after the first came back.
    void writer.write(Buffer.from("second\n"));
    expect(String(Buffer.from((await reader.read()).value!))).toBe("second\n");
    await writer.close();
    expect((await reader.read()).done).toBe(true);
  });
});
