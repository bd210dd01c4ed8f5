/** One port: connects HTTP to an app, within limits. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { InterlinguaError } from "../core/error.ts";
import type { ServerLimits } from "./config.ts";
import { problemResponse } from "./error-response.ts";
import type { App } from "./mount.ts";
import { refuseBadRequests } from "./refuse-bad-requests.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";
import { UnusedConnections } from "./unused-connections.ts";

export interface ListenerOptions {
  host: string;
  /** 0 picks a free one. */
  port: number;
  limits: ServerLimits;
  /** Counted here. */
  requests: { count: number; open: number };
}

export interface Listener {
  readonly port: number;
  /** Takes no more connections. Resolves when the last one is closed. */
  stopListening(): Promise<void>;
  /** Closes connections on which nothing is asked. */
  closeIdle(): void;
  closeAll(): void;
}

/** Rejects when it cannot listen. */
export async function openListener(app: App, options: ListenerOptions): Promise<Listener> {
  const { limits, requests } = options;
  const listener = getRequestListener(app.fetch, {
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
  const server = createServer(
    {
      // Against clients that open connections and then send nothing, or send it slowly.
      headersTimeout: 15_000,
      requestTimeout: 120_000,
      keepAliveTimeout: 10_000,
      maxHeaderSize: 16 * 1024,
    },
    listener,
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
  refuseBadRequests(server, listener, limits.maxBodyBytes);
  const port = await listen(server, options);
  return {
    port,
    stopListening: () => new Promise<void>((resolve) => server.close(() => resolve())),
    closeIdle() {
      server.closeIdleConnections();
      unused.close();
    },
    closeAll: () => server.closeAllConnections(),
  };
}

function listen(server: Server, { host, port }: ListenerOptions): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}
