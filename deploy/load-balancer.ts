/**
 * A small load balancer for trying out several nodes on one machine: round robin over those that are ready, streams and
 * WebSockets as they come, no sticky sessions. For real use take haproxy.cfg, nginx.conf, or what your provider has; what it
 * needs is in docs/guides/load-balancers.md.
 */
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

export interface LoadBalancerOptions {
  /** Where the nodes are now: `http://127.0.0.1:4201`. */
  nodes: () => readonly string[];
  /** 0 picks one. */
  port: number;
  /** Between two looks at which nodes are ready. */
  probeMs?: number;
}

export interface LoadBalancer {
  readonly url: string;
  /** Those that get requests now. */
  ready(): readonly string[];
  /** Looks now which nodes are ready. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/** A node that does not answer in this time is not ready. */
const PROBE_TIMEOUT_MS = 2000;

const NO_NODE = {
  status: 503,
  title: "No node is ready",
  detail: "No node is ready. Try again in a moment; the logs of the nodes say what they wait for.",
};
const NODE_GONE = {
  status: 502,
  title: "The node has gone",
  detail: "The node went away before it answered, and may have done this. Look before you repeat it.",
};

/** Rejects where it cannot listen. */
export async function startLoadBalancer({
  nodes,
  port,
  probeMs = 1000,
}: LoadBalancerOptions): Promise<LoadBalancer> {
  let ready: readonly string[] = [];
  let turn = 0;
  const next = () => ready[turn++ % ready.length];
  const look = async () => {
    const asked = nodes();
    const states = await Promise.all(asked.map(isReady));
    ready = asked.filter((_, index) => states[index]);
  };
  /** The next look may find it again. */
  const leaveOut = (node: string) => {
    ready = ready.filter((other) => other !== node);
  };

  const forward = (incoming: IncomingMessage, answer: ServerResponse) => {
    const { method, headers, url = "/" } = incoming;
    const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
    const isRepeatable = (method === "GET" || method === "HEAD") && !hasBody;
    const attempt = (attemptsLeft: number) => {
      const node = attemptsLeft > 0 ? next() : undefined;
      if (node === undefined) return refuse(answer, NO_NODE);
      const outgoing = request(new URL(url, node), { method, headers, agent: false });
      let isConnected = false;
      // Nothing of the body is taken before there is somebody to give it to.
      outgoing.on("socket", (socket) =>
        socket.once("connect", () => {
          isConnected = true;
          if (incoming.readableEnded) outgoing.end();
          else incoming.pipe(outgoing);
        }),
      );
      outgoing.on("response", (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        // The head of a stream is sent before its first event.
        answer.flushHeaders();
        response.pipe(answer);
        response.on("error", () => answer.destroy());
      });
      const onClose = () => outgoing.destroy();
      answer.on("close", onClose);
      outgoing.on("error", () => {
        answer.off("close", onClose);
        if (answer.headersSent || answer.destroyed) return void answer.destroy();
        leaveOut(node);
        // One that was not reached got nothing: another can have it, whatever it is.
        if (!isConnected || isRepeatable) attempt(attemptsLeft - 1);
        else refuse(answer, NODE_GONE);
      });
    };
    attempt(ready.length);
  };

  const upgrade = (incoming: IncomingMessage, socket: Duplex, head: Buffer) => {
    const attempt = (attemptsLeft: number) => {
      const node = attemptsLeft > 0 ? next() : undefined;
      if (node === undefined)
        return void socket.end(`HTTP/1.1 503 ${NO_NODE.title}\r\nconnection: close\r\n\r\n`);
      const { hostname, port } = new URL(node);
      let isConnected = false;
      const upstream = connect(Number(port), hostname, () => {
        isConnected = true;
        upstream.write(headOf(incoming));
        upstream.write(head);
        upstream.pipe(socket);
        socket.pipe(upstream);
      });
      const onClose = () => upstream.destroy();
      socket.on("close", onClose);
      upstream
        .on("error", () => {})
        .on("close", () => {
          socket.off("close", onClose);
          if (isConnected || socket.destroyed) return void socket.destroy();
          leaveOut(node);
          attempt(attemptsLeft - 1);
        });
    };
    socket.on("error", () => socket.destroy());
    attempt(ready.length);
  };

  const server = createServer(forward).on("upgrade", upgrade);
  server.requestTimeout = 0;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  await look();
  const probing = setInterval(() => void look(), probeMs);
  const { port: picked } = server.address() as { port: number };
  return {
    url: `http://127.0.0.1:${picked}`,
    ready: () => ready,
    look,
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

/** In the form in which a node refuses. */
function refuse(answer: ServerResponse, problem: typeof NO_NODE): void {
  const code = "node_unreachable";
  answer
    .writeHead(problem.status, { "content-type": "application/problem+json", "retry-after": "1" })
    .end(JSON.stringify({ type: `urn:interlingua:error:${code}`, ...problem, code }));
}

/** The request as it came, with all its headers. */
function headOf({ method, url, rawHeaders }: IncomingMessage): string {
  const lines = rawHeaders.flatMap((name, index) =>
    index % 2 === 0 ? [`${name}: ${rawHeaders[index + 1]}`] : [],
  );
  return `${method} ${url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`;
}
