/** Starts the server: what all its ports share, the main port, and those of single dialects. Shuts down gracefully. */
import type { Principal } from "../core/principal.ts";
import type { Store } from "../core/store.ts";
import { TimeSlices } from "../core/time-slices.ts";
import type { AnyDialect } from "../dialects/dialect.ts";
import type { Engine } from "../engine/engine.ts";
import { AllowedRoots } from "./allowed-roots.ts";
import { type AppDependencies, createApp, createPortApp } from "./app.ts";
import { DEFAULT_SERVER_LIMITS, type ServerConfig, type ServerLimits } from "./config.ts";
import { allowedHosts } from "./host-check.ts";
import { type Listener, openListener } from "./listener.ts";
import { MessageHistory } from "./message-history.ts";
import { Metrics } from "./metrics.ts";
import type { App } from "./mount.ts";
import { UnsentAnswers } from "./send-json.ts";
import { FanOut } from "./streams/fan-out.ts";
import { Feed } from "./streams/feed.ts";

/** Where ports without a token listen, whatever the main one does. */
const LOOPBACK = "127.0.0.1";

/** How long a folded message is cached at least. */
const HISTORY_SWEEP_MS = 30_000;

export interface ServerOptions {
  engine: Engine;
  store: Store;
  /** Client protocols besides `/v1`. */
  dialects: readonly AnyDialect[];
  config: ServerConfig;
}

export interface DialectPort {
  /** Its path is `/`. */
  dialect: AnyDialect;
  /** 0 picks a free one. */
  port: number;
  /** Whoever comes. */
  caller: Principal;
}

export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Requests so far, and those that are not answered yet, streams included. */
  readonly requests: { readonly count: number; readonly open: number };
  /** What the streams are doing, for tests and benchmarks. */
  readonly fanOut: FanOut;
  /** Serves one dialect without a token on a port of its own, for programs of this machine alone. Gives its number. */
  openPort(options: DialectPort): Promise<number>;
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
  let address = "";
  let closing: Promise<void> | undefined;
  const requests = { count: 0, open: 0 };
  const listeners: Listener[] = [];

  const shared = {
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
    limits,
    isClosing: () => closing !== undefined,
    address: () => address,
  };

  /** Each port has the names of its own and the same limits. */
  async function open(
    place: { host: string; port: number; allowedHosts: readonly string[]; dialects: readonly AnyDialect[] },
    create: (dependencies: AppDependencies) => App,
  ): Promise<number> {
    let hosts: ReadonlySet<string> = new Set();
    let port = 0;
    const app = create({
      ...shared,
      dialects: place.dialects,
      allowedHosts: () => hosts,
      port: () => port,
    });
    const listener = await openListener(app, { ...place, limits, requests });
    listeners.push(listener);
    port = listener.port;
    hosts = allowedHosts(place.allowedHosts, port);
    return port;
  }

  const { host, allowedHosts: names } = config;
  const port = await open({ host, port: config.port, allowedHosts: names, dialects }, createApp).catch(
    (error: unknown) => {
      fanOut.close();
      clearInterval(sweep);
      throw error;
    },
  );
  const url = `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
  address = config.localUrl?.(url) ?? url;

  return {
    url,
    port,
    requests,
    fanOut,
    openPort: ({ dialect, caller, ...place }) =>
      open({ ...place, host: LOOPBACK, allowedHosts: [], dialects: [dialect] }, (dependencies) =>
        createPortApp(dependencies, caller),
      ),
    close() {
      clearInterval(sweep);
      closing ??= closeListeners(listeners, fanOut, limits);
      return closing;
    },
  };
}

async function closeListeners(
  listeners: readonly Listener[],
  fanOut: FanOut,
  limits: ServerLimits,
): Promise<void> {
  const closed = listeners.map((listener) => listener.stopListening());
  fanOut.close();
  for (const listener of listeners) listener.closeIdle();
  const deadline = setTimeout(() => {
    for (const listener of listeners) listener.closeAll();
  }, limits.shutdownMs);
  await Promise.all(closed);
  clearTimeout(deadline);
}
