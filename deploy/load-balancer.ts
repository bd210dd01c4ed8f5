/**
 * A small load balancer for trying out several nodes on one machine: round robin over those that are ready, streams and
 * WebSockets as they come, no sticky sessions. For real use take nginx, Caddy or that of your provider; what it needs is in
 * docs/guides/cluster.md.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

export interface LoadBalancerOptions {
  /** Where the nodes are: `http://127.0.0.1:4201`. */
  nodes: readonly string[];
  /** 0 picks one. */
  port: number;
  /** Between two looks at which nodes are ready. */
  probeMs?: number;
}

export interface LoadBalancer {
  readonly url: string;
  /** Those that get requests now. */
  ready(): readonly string[];
  close(): Promise<void>;
}

/** A node that does not answer in this time is not ready. */
const PROBE_TIMEOUT_MS = 2000;

export async function startLoadBalancer({
  nodes,
  port,
  probeMs = 1000,
}: LoadBalancerOptions): Promise<LoadBalancer> {
  let ready: readonly string[] = [];
  let turn = 0;
  const next = () => ready[turn++ % ready.length];
  const look = async () => {
    const states = await Promise.all(nodes.map(isReady));
    ready = nodes.filter((_, index) => states[index]);
  };
  await look();
  const probing = setInterval(() => void look(), probeMs);

  const forward = (incoming: IncomingMessage, answer: ServerResponse) => {
    const node = next();
    if (node === undefined) return refuse(answer, 503, "no node is ready");
    const { method, headers, url = "/" } = incoming;
    const outgoing = request(new URL(url, node), { method, headers, agent: false });
    outgoing.on("response", (response) => {
      answer.writeHead(response.statusCode ?? 502, response.headers);
      // The head of a stream is sent before its first event.
      answer.flushHeaders();
      response.pipe(answer);
      response.on("error", () => answer.destroy());
    });
    outgoing.on("error", () =>
      answer.headersSent ? answer.destroy() : refuse(answer, 502, "the node has gone"),
    );
    answer.on("close", () => outgoing.destroy());
    incoming.pipe(outgoing);
  };

  const upgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const node = next();
    if (node === undefined) return socket.destroy();
    const { hostname, port } = new URL(node);
    const upstream = connect(Number(port), hostname, () => {
      upstream.write(headOf(incoming));
      upstream.write(head);
      upstream.pipe(socket);
      socket.pipe(upstream);
    });
    const end = () => {
      upstream.destroy();
      socket.destroy();
    };
    for (const side of [upstream, socket]) side.on("error", end).on("close", end);
  };

  const server = createServer(forward).on("upgrade", upgrade);
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  const { port: picked } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${picked}`,
    ready: () => ready,
    async close() {
      clearInterval(probing);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function isReady(node: string): Promise<boolean> {
  const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS);
  return fetch(`${node}/v1/health/ready`, { signal }).then(
    (response) => response.ok,
    () => false,
  );
}

function refuse(answer: ServerResponse, status: number, why: string): void {
  answer.writeHead(status, { "content-type": "text/plain", "retry-after": "1" }).end(`${why}\n`);
}

/** The request as it came, with all its headers. */
function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
  );
  return `${method} ${url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}
