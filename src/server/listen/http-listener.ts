/** One listening address: HTTP with its timeouts, its connections and a graceful close. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { InterlinguaError } from "../../core/error.ts";
import { problemResponse } from "../answers/error-response.ts";
import type { Upgrades } from "../channels/upgrades.ts";
import { refuseBadRequests } from "../guard/refuse-bad-requests.ts";
import { SECURITY_HEADERS } from "../guard/security-headers.ts";
import type { ServerLimits } from "../limits.ts";
import type { App } from "../mount.ts";

export interface ListenOptions {
  app: App;
  host: string;
  /** 0 picks a free one. */
  port: number;
  limits: Pick<ServerLimits, "maxConnections" | "maxBodyBytes" | "shutdownMs">;
  /** Counts the requests. */
  requests: RequestCounts;
  /** None when absent. */
  upgrades?: Upgrades;
}

export interface RequestCounts {
  /** So far. */
  count: number;
  /** Not answered yet, streams included. */
  open: number;
}

export interface HttpListener {
  readonly port: number;
  /** Takes no more connections, has `endStreams` end what would go on, and waits a while for running requests. */
  close(endStreams: () => void): Promise<void>;
}

/** Rejects when it cannot listen. */
export async function listen(options: ListenOptions): Promise<HttpListener> {
  const { app, host, port, limits, requests, upgrades } = options;
  const answer = requestListener(app);
  const server = createServer(
    {
      // Against clients that open connections and then send nothing, or send it slowly.
      headersTimeout: 15_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 10_000,
      maxHeaderSize: 16 * 1024,
      shouldUpgradeCallback: (request) => upgrades?.wants(request) ?? false,
    },
    answer,
  );
  server.on("request", (_, response) => {
    requests.count += 1;
    requests.open += 1;
    response.once("close", () => {
      requests.open -= 1;
    });
  });
  server.maxConnections = limits.maxConnections;
  const unused = new UnusedConnections(server);
  refuseBadRequests(server, answer, limits.maxBodyBytes);
  upgrades?.serve(server, answer, requests);
  await bind(server, host, port);
  return {
    port: (server.address() as AddressInfo).port,
    async close(endStreams) {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      endStreams();
      server.closeIdleConnections();
      unused.close();
      const deadline = setTimeout(() => {
        server.closeAllConnections();
        upgrades?.destroyAll();
      }, limits.shutdownMs);
      await closed;
      clearTimeout(deadline);
    },
  };
}

function requestListener(app: App): (request: IncomingMessage, response: ServerResponse) => void {
  return getRequestListener(app.fetch, {
    // An HTTP/1.0 request may come without a host.
    hostname: "localhost",
    overrideGlobalObjects: false,
    // Only for errors outside the app, which answers its own.
    errorHandler(error) {
      const { status, headers, body } = problemResponse(
        new InterlinguaError("invalid_request", "The address or the host of this request cannot be read.", {
          cause: error,
        }),
      );
      return new Response(JSON.stringify(body), { status, headers: { ...SECURITY_HEADERS, ...headers } });
    },
  });
}

function bind(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

/**
 * Tracks connections without any request. Clients open them in advance, as `fetch` does after it cancelled a stream.
 * Node counts them as busy, so a closing server would wait for them in vain.
 */
class UnusedConnections {
  readonly #connections = new Set<Socket>();

  constructor(server: Server) {
    server.on("connection", (socket) => {
      this.#connections.add(socket);
      socket.once("close", () => this.#connections.delete(socket));
    });
  }

  close(): void {
    for (const socket of this.#connections) if (socket.bytesRead === 0) socket.destroy();
  }
}
