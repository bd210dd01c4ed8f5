/** Listens, connects HTTP to the app, and shuts down gracefully. */
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { InterlinguaError } from "../core/error.ts";
import type { Store } from "../core/store.ts";
import { TimeSlices } from "../core/time-slices.ts";
import type { AnyDialect } from "../dialects/dialect.ts";
import type { Engine } from "../engine/engine.ts";
import { AllowedRoots } from "./allowed-roots.ts";
import { createApp } from "./app.ts";
import { DEFAULT_SERVER_LIMITS, type ServerConfig, type ServerLimits } from "./config.ts";
import { problemResponse } from "./error-response.ts";
import { allowedHosts } from "./host-check.ts";
import { MessageHistory } from "./message-history.ts";
import { Metrics } from "./metrics.ts";
import { refuseBadRequests } from "./refuse-bad-requests.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";
import { UnsentAnswers } from "./send-json.ts";
import { FanOut } from "./streams/fan-out.ts";
import { Feed } from "./streams/feed.ts";
import { UnusedConnections } from "./unused-connections.ts";

/** How long a folded message is cached at least. */
const HISTORY_SWEEP_MS = 30_000;

export interface ServerOptions {
  engine: Engine;
  store: Store;
  /** Client protocols besides `/v1`. */
  dialects: readonly AnyDialect[];
  config: ServerConfig;
}

export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Requests so far, and those that are not answered yet, streams included. */
  readonly requests: { readonly count: number; readonly open: number };
  /** What the streams are doing, for tests and benchmarks. */
  readonly fanOut: FanOut;
  /** Stops taking requests, ends streams, and waits a while for running requests. Idempotent. */
  close(): Promise<void>;
}

/** Rejects when it cannot listen. The caller closes engine and store after the server. */
export async function startServer({
  engine,
  store,
  dialects,
  config,
}: ServerOptions): Promise<RunningServer> {
  const limits = { ...DEFAULT_SERVER_LIMITS, ...config.limits };
  const { logger } = config;
  const roots = await AllowedRoots.resolve(config.roots, config.furtherRoots);
  const slices = new TimeSlices();
  const fanOut = new FanOut({ engine, store, slices, limits });
  const feed = new Feed({
    engine,
    store,
    slices,
    onError: (error) => logger.error({ err: error }, "the feed could not be read"),
  });
  const history = new MessageHistory(store, slices);
  const sweep = setInterval(() => history.sweep(), HISTORY_SWEEP_MS);
  sweep.unref();
  let hosts: ReadonlySet<string> = new Set();
  let address = "";
  let port = 0;
  let closing: Promise<void> | undefined;

  const app = createApp({
    engine,
    store,
    roots,
    fanOut,
    feed,
    slices,
    history,
    unsent: new UnsentAnswers(limits.maxUnsentBytes),
    metrics: new Metrics(engine, fanOut),
    logger,
    config,
    dialects,
    limits,
    allowedHosts: () => hosts,
    isClosing: () => closing !== undefined,
    address: () => address,
    port: () => port,
  });
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
  const requests = { count: 0, open: 0 };
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

  port = await listen(server, config).catch((error: unknown) => {
    fanOut.close();
    clearInterval(sweep);
    throw error;
  });
  hosts = allowedHosts(config.allowedHosts, port);
  const host = config.host.includes(":") ? `[${config.host}]` : config.host;
  address = `http://${host}:${port}`;

  return {
    url: address,
    port,
    requests,
    fanOut,
    close() {
      clearInterval(sweep);
      closing ??= closeServer(server, fanOut, unused, limits);
      return closing;
    },
  };
}

function listen(server: Server, { host, port }: ServerConfig): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve((server.address() as AddressInfo).port);
    });
  });
}

async function closeServer(
  server: Server,
  fanOut: FanOut,
  unused: UnusedConnections,
  limits: ServerLimits,
): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  fanOut.close();
  server.closeIdleConnections();
  unused.close();
  const deadline = setTimeout(() => server.closeAllConnections(), limits.shutdownMs);
  await closed;
  clearTimeout(deadline);
}
