/** The server: everything it needs, its app, and the address it listens at. */
import { hostname } from "node:os";
import type { FileLister } from "../../core/file-lister.ts";
import type { NodeFiles } from "../../core/node-files.ts";
import type { Nodes } from "../../core/nodes.ts";
import type { PeerNews } from "../../core/peer-news.ts";
import type { UnreadReaders } from "../../core/read-unread.ts";
import { soleNode } from "../../core/sole-node.ts";
import type { Store } from "../../core/store.ts";
import { TimeSlices } from "../../core/time-slices.ts";
import type { AnyDialect } from "../../dialects/dialect.ts";
import type { Engine } from "../../engine/engine.ts";
import { auditedEngine } from "../access/audited-engine.ts";
import type { Callers } from "../access/callers.ts";
import { refusalsTo } from "../access/refused.ts";
import { MessageHistory } from "../answers/message-history.ts";
import { UnsentAnswers } from "../answers/send-json.ts";
import { createApp } from "../app.ts";
import { Upgrades } from "../channels/upgrades.ts";
import type { ServerConfig } from "../config.ts";
import { type DialectPort, type RunningDialectPort, startDialectPort } from "../dialect-port/dialect-port.ts";
import { AllowedRoots } from "../directories/allowed-roots.ts";
import { openLocalFiles } from "../directories/local-files.ts";
import { allowedHosts } from "../guard/host-check.ts";
import { RequestChecks } from "../guard/request-checks.ts";
import { type MetricSource, Metrics } from "../health/metrics.ts";
import { nodeMetrics } from "../health/node-metrics.ts";
import { ThreadPoolProbe, threadPoolMetrics } from "../health/thread-pool-probe.ts";
import { DEFAULT_SERVER_LIMITS } from "../limits.ts";
import { Notifier } from "../notify/notifier.ts";
import { FeedReaders } from "../people/feed-readers.ts";
import { openPeople } from "../people/people.ts";
import { Presence } from "../people/presence.ts";
import { FanOut } from "../streams/fan-out.ts";
import { Feed } from "../streams/feed.ts";
import { listen, type RequestCounts } from "./http-listener.ts";

/** How long a folded message is cached at least. */
const HISTORY_SWEEP_MS = 30_000;

export interface ServerOptions {
  engine: Engine;
  /** Where it is one node of several. */
  cluster?: ServerInCluster;
  store: Store;
  /** Client protocols besides `/v1`. */
  dialects: readonly AnyDialect[];
  config: ServerConfig;
  /** Finds what can be named in prompts. */
  files: FileLister;
  /** What translators leave unread; not told when absent. */
  unreadReaders?: UnreadReaders;
  /** Ports of their own, besides the main one. */
  ports?: readonly DialectPort[];
  /** Who else serves these sessions; nobody when absent. */
  nodes?: Nodes;
  /** Further metrics. */
  metrics?: readonly MetricSource[];
  /** Whose tokens are known; that of the config and those in the store when absent. */
  callers?: Callers;
}

/** What a server has besides when other nodes serve the same sessions. */
export interface ServerInCluster {
  /** Of this node alone: only the node that has a session notifies of it. */
  engine: Pick<Engine, "followAll" | "run">;
  news: PeerNews;
  /** Of all nodes. */
  files: NodeFiles;
  /** The same for all nodes, so that a client which comes to another one takes nobody for restarted. */
  startedAt: number;
}

export interface RunningServer {
  /** Without a slash at the end. */
  readonly url: string;
  readonly port: number;
  /** Of all ports. */
  readonly requests: Readonly<RequestCounts>;
  /** In the order of the options. */
  readonly ports: readonly Omit<RunningDialectPort, "close">[];
  /** What the streams of the main port are doing, for tests and benchmarks. */
  readonly fanOut: FanOut;
  /** Stops taking requests, ends streams, and waits a while for running requests. Idempotent. */
  close(): Promise<void>;
}

/** Rejects when it cannot listen. The caller closes engine and store after the server. */
export async function startServer({
  engine: given,
  cluster,
  store,
  dialects,
  config,
  files,
  unreadReaders,
  ports = [],
  callers,
  nodes: givenNodes,
  metrics: metricSources = [],
}: ServerOptions): Promise<RunningServer> {
  const limits = { ...DEFAULT_SERVER_LIMITS, ...config.limits };
  const { logger } = config;
  // Before anything waits for the pool: the log tells of a pool that lets no server start.
  const threadPool = new ThreadPoolProbe({ logger });
  const roots = await AllowedRoots.resolve(config.roots, config.furtherRoots);
  const slices = new TimeSlices();
  const { engine: local = given, news } = cluster ?? {};
  const { token: ownToken, formerToken } = config;
  const people = await openPeople({ store, engine: local, ownToken, formerToken, logger, news });
  const known = callers ?? people.callers;
  const engine = auditedEngine(given, people.audit);
  const onFault = (error: unknown) => logger.error({ err: error }, "one reader of a session failed");
  const presence = new Presence(Date.now, slices, onFault);
  const stopSharing = news && presence.share(news);
  const fanOut = new FanOut({
    ...{ engine, store, slices, limits, presence, onFault },
    isAccepted: (access) => known.isAccepted(access),
  });
  people.tokens.onEnd((token) => fanOut.endStreamsOf(token));
  const feed = new Feed({
    engine,
    store,
    slices,
    presence,
    startedAt: cluster?.startedAt ?? Date.now(),
    isOneOfSeveral: cluster !== undefined,
    onError: (error) => logger.error({ err: error }, "the feed could not be read"),
  });
  const history = new MessageHistory(store, slices);
  const sweep = setInterval(() => history.sweep(), HISTORY_SWEEP_MS);
  sweep.unref();
  let hosts: ReadonlySet<string> = new Set();
  let mainPort = 0;
  let url = "";
  let address = "";
  let closing: Promise<void> | undefined;
  const notifier = new Notifier({ engine: local, targets: config.notify ?? [], logger });
  const nodes =
    givenNodes ??
    soleNode({
      name: config.nodeName ?? hostname(),
      url: () => address,
      load: () => {
        const { liveSessions: sessions, attachedAgents: agents } = given.stats();
        return { sessions, agents, maxAgents: config.maxLiveAgents ?? 0 };
      },
    });
  const metrics = new Metrics(engine, fanOut, notifier, [
    nodeMetrics(nodes),
    () => threadPoolMetrics(threadPool),
    ...metricSources,
  ]);

  const upgrades = new Upgrades(
    dialects.flatMap((dialect) => (dialect.channels ?? []).map(({ path }) => path)),
    limits.maxStreams,
  );

  const feedReaders = new FeedReaders(fanOut, news);
  const app = createApp({
    engine,
    store,
    roots,
    files: cluster?.files ?? openLocalFiles({ roots, lister: files, slices }),
    fanOut,
    feed,
    feedReaders,
    slices,
    history,
    presence,
    people,
    may: () => true,
    onRefused: refusalsTo(people.audit),
    unsent: new UnsentAnswers(limits.maxUnsentBytes),
    metrics,
    nodes,
    threadPool,
    logger,
    config,
    dialects,
    unreadReaders,
    limits,
    checks: new RequestChecks({
      config,
      limits,
      callers: known,
      allowedHosts: () => hosts,
      isClosing: () => closing !== undefined,
      onRefused: (code) => metrics.refused(code),
    }),
    upgrades,
    allowedHosts: () => hosts,
    isClosing: () => closing !== undefined,
    address: () => address,
    mount: {
      name: "main",
      keepRunning: config.keepRunning ?? false,
      get port() {
        return mainPort;
      },
    },
  });
  const requests = { count: 0, open: 0 };
  const { host } = config;
  const listeners: { close(): Promise<void> }[] = [];
  const running: RunningDialectPort[] = [];
  try {
    const listener = await listen({ app, host, port: config.port, limits, requests, upgrades });
    listeners.push({ close: () => listener.close(() => fanOut.close()) });
    mainPort = listener.port;
    hosts = allowedHosts(config.allowedHosts, mainPort);
    url = `http://${host.includes(":") ? `[${host}]` : host}:${mainPort}`;
    address = config.localUrl?.(url) ?? url;
    const shared = {
      ...{ engine, store, slices, history, metrics, presence, logger, config, limits, requests },
      address: () => address,
    };
    for (const given of ports) {
      const port = await startDialectPort(given, shared);
      listeners.push(port);
      running.push(port);
    }
  } catch (error) {
    await close();
    throw error;
  }

  async function close(): Promise<void> {
    clearInterval(sweep);
    threadPool.stop();
    notifier.close();
    await Promise.all(listeners.map((listener) => listener.close()));
    // If the start failed, no listener did.
    fanOut.close();
    stopSharing?.();
    feedReaders.close();
    await people.close();
  }

  return {
    url,
    port: mainPort,
    ports: running,
    requests,
    fanOut,
    close() {
      closing ??= close();
      return closing;
    },
  };
}
