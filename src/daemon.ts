/** The composition root, and what `import "interlingua"` gives: the one place where choices meet. */
import { realpathSync } from "node:fs";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { loadAgents, PROTOCOLS } from "./agents/registry.ts";
import { createUnreadReader } from "./agents/replay/unread-reader.ts";
import type { LeaseTimes } from "./cluster/lease-times.ts";
import type { NodeFollowing } from "./cluster/streams/start-following.ts";
import {
  customAgents,
  expandAgentEnvironments,
  moduleAgents,
  plainVariables,
} from "./config/agent-config.ts";
import { localUrl, ownHosts } from "./config/bind-address.ts";
import { checkAgentConfig } from "./config/check-agent-config.ts";
import { checkConfig } from "./config/check-config.ts";
import { checkCustomAgents } from "./config/check-custom-agents.ts";
import { type Config, DEFAULT_AGENT, withDefaults } from "./config/config.ts";
import { ConfigError } from "./config/config-error.ts";
import { IN_MEMORY } from "./config/data-location.ts";
import { notifyTargets } from "./config/notify-targets.ts";
import { packageVersion } from "./config/package-version.ts";
import { SessionRoots } from "./config/session-roots.ts";
import { storeName } from "./config/store-address.ts";
import { resolveToken } from "./config/token.ts";
import type { UnreadReaders } from "./core/read-unread.ts";
import { searchPath } from "./core/search-path.ts";
import type { Store } from "./core/store.ts";
import { TimeSlices } from "./core/time-slices.ts";
import { endLeftovers, openDataDirectory } from "./data-directory.ts";
import type { AnyDialect } from "./dialects/dialect.ts";
import { createEngine, type EngineOptions } from "./engine/create-engine.ts";
import { DEFAULT_ENGINE_LIMITS } from "./engine/limits.ts";
import { createPrograms } from "./install/local-programs.ts";
import { DRAIN_MARGIN_MS, drainNode, gitFilesOf, joinCluster, nodeRoots } from "./join-cluster.ts";
import { loadDialects } from "./load-dialects.ts";
import { ModuleErrors } from "./modules/module-errors.ts";
import { openWorkspaces } from "./open-workspaces.ts";
import { keyNames } from "./process/child-environment.ts";
import { createProcessHost } from "./process/local-process-host.ts";
import { isRunningSince } from "./process/running-since.ts";
import { agentsmithyPorts } from "./server/agentsmithy-port/agentsmithy-port.ts";
import { AllowedRoots, type FurtherRoots } from "./server/directories/allowed-roots.ts";
import { openLocalFiles } from "./server/directories/local-files.ts";
import { peerMetrics } from "./server/health/node-metrics.ts";
import { explainListenError } from "./server/listen/explain-listen-error.ts";
import { startServer } from "./server/listen/http-server.ts";
import { startUnreadyServer, type UnreadyServer } from "./server/listen/unready-server.ts";
import { openStore } from "./store/open-store.ts";
import { openWhenReachable } from "./store/open-when-reachable.ts";
import { crossesNetworkInPlain } from "./store/postgres/connection.ts";
import type { SqliteStoreOptions } from "./store/sqlite/sqlite-store.ts";
import { withGitChildren } from "./workspace/git-children.ts";
import { openFileLister } from "./workspace/list-files.ts";
import { WORKTREES } from "./workspace/obstacle.ts";
import { openProjectFiles } from "./workspace/project-files.ts";
import { openWorktrees } from "./workspace/worktrees.ts";

export type * from "./dialects/dialect.ts";
export { type Config, ConfigError };

export interface DaemonOptions extends Partial<Config> {
  /** The source of the agents' environment; the process's own when absent. */
  environment?: NodeJS.ProcessEnv;
  /** Silent when absent. */
  logger?: Logger;
  /** Client protocols besides the built-in ones. */
  dialects?: readonly AnyDialect[];
  /** Whether whoever can write the data directory may open further directories for single sessions. No when absent. */
  canAddRoots?: boolean;
  /**
   * Tells errors of modules that nobody caught from ours, for a process that listens for such errors itself. When absent, and
   * there are modules, the daemon listens.
   */
  moduleErrors?: ModuleErrors;
  /** Wraps the store, for probes and injected faults. */
  wrapStore?(store: Store): Store;
  /** A database that cannot be reached is waited for until this is aborted. When absent, the start fails. */
  waitForStore?: AbortSignal;
  /** How long a node of a cluster may be silent, for tests that do not want to wait. The same for all nodes. */
  leaseTimes?: Partial<LeaseTimes>;
}

export interface Daemon {
  /** Where this machine reaches it, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Ports of their own, at which client protocols are served to everybody on this machine. */
  readonly ports: readonly { readonly dialect: string; readonly port: number; readonly workspace: string }[];
  /** Changes whenever somebody uses it; undefined while a request is open, a turn runs or a person is waited for. */
  activityCount(): Promise<number | undefined>;
  /** Resolves when it cannot go on, with a sentence that says why. Close it then. */
  readonly failed: Promise<Error>;
  /**
   * One of several nodes leaves the others its sessions: those that are idle at once, the rest when their turns have ended,
   * or after `limits.drainMs`. It still answers, but is not ready and takes nothing new. Without others it does nothing.
   * Never rejects. Idempotent; close it afterwards.
   */
  drain(): Promise<void>;
  /** Stops taking requests, ends the agents and releases the data directory. Idempotent. */
  close(): Promise<void>;
}

/**
 * Starts a daemon in this process. Rejects with a sentence that says what to do, and then leaves nothing behind.
 *
 * @example
 * const daemon = await startDaemon({ data: ":memory:", port: 0 });
 * await fetch(`${daemon.url}/v1/sessions`, { headers: { authorization: `Bearer ${daemon.token}` } });
 * await daemon.close();
 */
export async function startDaemon(options: DaemonOptions = {}): Promise<Daemon> {
  const { environment = process.env, logger = pino({ enabled: false }) } = options;
  const config = withDefaults(options, { cwd: process.cwd(), environment });
  checkConfig(config);
  checkCustomAgents(config.agents);
  notifyTargets(config.notify, environment);
  const { moduleErrors = new ModuleErrors(logger) } = options;
  // What was opened last is closed first, also when the start fails half way.
  const opened = new AsyncDisposableStack();
  try {
    const hasModules =
      moduleAgents(config.agents).length > 0 || Object.keys(config.dialectModules).length > 0;
    if (hasModules && !options.moduleErrors) opened.use(moduleErrors.listen());
    const dialects = await loadDialects({ config, given: options.dialects, errors: moduleErrors, logger });
    const { wrapStore, canAddRoots, waitForStore, leaseTimes } = options;
    const surroundings = {
      environment,
      logger,
      dialects,
      wrapStore,
      canAddRoots,
      waitForStore,
      moduleErrors,
      leaseTimes,
    };
    return await openDaemon(config, surroundings, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function openDaemon(
  config: Config,
  surroundings: Required<Pick<DaemonOptions, "environment" | "logger" | "dialects" | "moduleErrors">> &
    Pick<DaemonOptions, "wrapStore" | "canAddRoots" | "waitForStore" | "leaseTimes">,
  opened: AsyncDisposableStack,
): Promise<Daemon> {
  const { environment, logger, dialects, moduleErrors, wrapStore, canAddRoots } = surroundings;
  const version = packageVersion();
  const data = openDataDirectory(config.data, { version, logger }, opened);
  const access = resolveToken(config);
  // Before the store is opened: if its agents show that another daemon is alive, nothing was touched.
  await endLeftovers(data, logger);

  const reports = {
    // Nothing is lost: what could not be packed stays as it is and is retried.
    onSealError: (error: unknown) => logger.warn({ err: error }, "part of the log could not be packed"),
    onDamage: (session: string | undefined, error: unknown) =>
      logger.error(
        { err: error, session },
        session === undefined ? "the database cannot be read" : "part of a session cannot be read",
      ),
  };
  if (config.store !== undefined && (await crossesNetworkInPlain(config.store)))
    logger.warn(
      `Others on the network can read and change the traffic to ${storeName(config.store)}, because the connection has no TLS. Add sslmode=verify-full to its address, and sslrootcert=FILE if your own authority issued its certificate.`,
    );
  const open = () => openStore(storeTarget(config, reports));
  const { waitForStore } = surroundings;
  const inner = await (waitForStore ? waitFor(open, waitForStore, { config, version, logger }) : open());
  opened.defer(() => inner.close());
  const store = wrapStore?.(inner) ?? inner;

  const processHost = createProcessHost({
    daemonId: data.daemonId,
    environment,
    pass: config.env.pass,
  });
  opened.defer(() => processHost.close());

  const programs = createPrograms({
    processHost,
    dataDirectory: data.path,
    searchPath: searchPath(environment),
    settings: config.agents,
  });
  opened.defer(() => programs.close());
  const added = expandAgentEnvironments(config.agents, environment);
  const custom = customAgents(config.agents, environment);
  const modules = moduleAgents(config.agents);
  const agents = await loadAgents({
    processHost,
    dataDirectory: data.path,
    programs,
    programSettings: config.agents,
    environmentOf: (agent) => ({ ...environment, ...added[agent] }),
    custom,
    modules,
    moduleErrors,
    logger,
    models: { providers: config.providers, web: config.web },
    startTimeoutMs: config.limits.connectTimeoutMs,
  });
  checkAgentConfig(config, agents);
  const furtherRoots = data.lock && (await openSessionRoots(data.path, store, canAddRoots));
  const roots = await AllowedRoots.resolve(workingRoots(config), furtherRoots);
  const { maxLiveAgents, drainMs } = { ...DEFAULT_ENGINE_LIMITS, ...config.limits };
  let runningAgents = () => 0;
  const cluster = await joinCluster(config, {
    ...{ data, processHost, logger, times: surroundings.leaseTimes },
    load: () => ({ agents: runningAgents(), maxAgents: maxLiveAgents }),
    clientTokens: [access.token, config.formerToken ?? []].flat(),
    profile: {
      labels: config.cluster.labels ?? {},
      roots: nodeRoots(workingRoots(config), config, data.path),
      agents: [...agents.keys()],
    },
  });
  opened.defer(() => cluster?.close());
  const { children } = processHost;
  const { workspace: plainWorkspace, workspacesOf } = await openWorkspaces(
    config,
    data,
    cluster?.node,
    (session) => isKnown(store, session),
  );
  const workspace = withGitChildren(plainWorkspace, children);
  const worktrees =
    data.lock &&
    withGitChildren(
      openWorktrees({
        directory: join(data.path, WORKTREES),
        workspacesOf,
        workspace: config.checkpoints === "on" ? workspace : undefined,
      }),
      children,
    );
  const lister = withGitChildren(openFileLister(), children);
  const gitFiles = cluster && gitFilesOf(cluster.node, config, data);
  await worktrees?.discardUnless((session) => isKnown(store, session));
  const files = openLocalFiles({ roots, lister, slices: new TimeSlices() });
  // Closed after the engine: others get its last events.
  let following: NodeFollowing | undefined;
  opened.defer(() => following?.close());
  const engine = await createEngine({
    store,
    daemonId: data.daemonId,
    ownership: cluster?.ownership,
    directories: cluster?.node.directories,
    gitFiles: gitFiles && withGitChildren(gitFiles, children),
    agents,
    workspace,
    checkpoints: config.checkpoints,
    onLost: config.onLost,
    worktrees,
    projectFiles: openProjectFiles(),
    agentSettings: Object.fromEntries(
      Object.entries(config.agents).map(([name, settings]) => {
        const values = added[name] ?? {};
        const plain = plainVariables(settings, values);
        const secrets = custom.find((agent) => agent.name === name)?.remote?.headers;
        return [name, { install: settings.install, environment: values, plain, secrets }];
      }),
    ),
    programs,
    keysOf: clientKeys(dialects),
    gathersCommits: config.store !== undefined,
    limits: config.limits,
    logger,
    assertDirectory: async (directory, session) => void (await roots.directory(directory, session)),
    // Alone, the server has looked at them; what comes from other nodes is looked at where it is done.
    assertParts: cluster && ((session, parts) => files.checkParts(session, parts)),
  });
  runningAgents = () => engine.stats().attachedAgents;
  opened.defer(() => engine.close());
  following = await cluster?.follow({ engine, store, logger });

  const server = await startServer({
    engine: cluster?.createEngine({ local: engine, store, following }) ?? engine,
    cluster: cluster &&
      following && {
        engine,
        files: cluster.openFiles(files),
        news: following.news,
        startedAt: following.startedAt,
      },
    store,
    dialects,
    unreadReaders: readersOf(custom),
    config: {
      host: config.host,
      port: config.port,
      localUrl,
      token: access.token,
      formerToken: config.formerToken,
      allowedHosts: [...ownHosts(config.host), ...config.allowHosts],
      corsOrigins: config.corsOrigins,
      roots: workingRoots(config),
      furtherRoots,
      defaultAgent: config.agent ?? DEFAULT_AGENT,
      isDefaultAgentConfigured: config.agent !== undefined,
      nodeName: config.nodeName,
      maxLiveAgents,
      keepRunning: config.agentsmithyKeepRunning,
      version,
      logger,
      limits: config.limits,
      notify: notifyTargets(config.notify, environment),
    },
    nodes: cluster?.node.nodes,
    metrics: cluster && [() => peerMetrics(cluster.peers.counts)],
    files: lister,
    ports: agentsmithyPorts({ ...config, maxLiveAgents, dialects, logger, isRunningSince }),
  }).catch((error: unknown) => {
    throw explainListenError(error, config);
  });
  opened.defer(() => server.close());

  data.lock?.update({
    url: localUrl(server.url),
    tokenFile: access.file,
    roots: roots.paths,
    searchPath: searchPath(environment),
    variables: [
      ...keyNames(
        environment,
        [...agents.values()].flatMap(({ environmentKeys }) => environmentKeys),
      ),
      ...Object.values(added).flatMap(Object.keys),
    ],
    ...(furtherRoots && canAddRoots && { canAddRoots: true }),
    ...(cluster && { drainMs: drainMs + DRAIN_MARGIN_MS }),
  });
  const database = config.store === undefined ? {} : { store: storeName(config.store) };
  logger.info({ url: server.url, data: config.data, ...database, version }, "listening");
  let closing: Promise<void> | undefined;
  let draining: Promise<void> | undefined;
  return {
    url: localUrl(server.url),
    token: access.token,
    ports: server.ports,
    async activityCount() {
      // An agent that nobody uses is let go; one that is kept works in the background.
      if (server.requests.open > 0 || engine.stats().attachedAgents > 0) return undefined;
      for (const status of BUSY) {
        const { sessions } = await store.listSessions({ status, limit: 1 });
        if (sessions.length > 0) return undefined;
      }
      return server.requests.count;
    },
    failed: cluster?.node.refused ?? new Promise(() => {}),
    drain() {
      try {
        data.lock?.update({ isLeaving: true });
      } catch (error) {
        // The disk is full, or the directory is gone. The daemon still has to end.
        logger.warn({ err: error }, "the data directory cannot tell that this daemon is leaving");
      }
      draining ??= cluster ? drainNode(cluster.node, engine, drainMs) : Promise.resolve();
      return draining;
    },
    close() {
      closing ??= opened.disposeAsync();
      return closing;
    },
  };
}

/** Meanwhile the port answers that the daemon lives and is not ready. */
async function waitFor(
  open: () => Promise<Store>,
  signal: AbortSignal,
  { config, version, logger }: { config: Config; version: string; logger: Logger },
): Promise<Store> {
  const { host, port } = config;
  let server: UnreadyServer | undefined;
  try {
    return await openWhenReachable(open, {
      signal,
      async onAway({ message }, pauseMs) {
        logger.warn(`${message} Trying again in ${pauseMs / 1000} s.`);
        // Nobody knows a port that is still to be picked.
        if (port !== 0) server ??= await startUnreadyServer({ host, port, version }, message);
      },
    });
  } finally {
    await server?.close();
  }
}

function storeTarget({ store, data, clusterSecret }: Config, reports: SqliteStoreOptions) {
  if (store !== undefined) return { url: store, isShared: clusterSecret !== undefined, ...reports };
  return data === IN_MEMORY ? IN_MEMORY : { directory: data, ...reports };
}

/** Nobody knows what an adapter from outside reads of its agent. */
function readersOf(custom: readonly { name: string; protocol: string }[]): UnreadReaders {
  return (agent) => {
    const own = custom.find(({ name }) => name === agent);
    const protocol = PROTOCOLS.get(own?.protocol ?? agent);
    return protocol && createUnreadReader(protocol);
  };
}

/** What a session does that must not be cut short. */
const BUSY = ["running", "waiting", "recovering"] as const;

/** What nearly every event has: nothing is made for it. */
const NO_KEYS: readonly never[] = [];

/** Undefined if no dialect has keys, which saves a call per event. */
function clientKeys(dialects: readonly AnyDialect[]): EngineOptions["keysOf"] {
  const named = dialects.filter((dialect) => dialect.keys !== undefined);
  if (named.length === 0) return undefined;
  return (event) => {
    let found: { dialect: string; key: string }[] | undefined;
    for (const dialect of named)
      for (const key of dialect.keys?.(event) ?? []) {
        found ??= [];
        found.push({ dialect: dialect.name, key });
      }
    return found ?? NO_KEYS;
  };
}

/** Sessions begin in the first one. It lies inside another root or is one, so this opens nothing more. */
function workingRoots(config: Config): string[] {
  return [...new Set([config.cwd, ...config.roots])];
}

/** Without `canAddRoots` they open nothing, but go with their sessions all the same. */
async function openSessionRoots(
  dataDirectory: string,
  store: Store,
  canAddRoots = false,
): Promise<FurtherRoots> {
  const sessionRoots = new SessionRoots(dataDirectory);
  await sessionRoots.revokeUnless((session) => isKnown(store, session));
  return {
    worktrees: join(realpathSync(dataDirectory), WORKTREES),
    inherit: (session, copy) => {
      const directory = sessionRoots.directoryOf(session);
      if (directory !== undefined) sessionRoots.allow(copy, directory);
    },
    directoryOf: (session) => (canAddRoots ? sessionRoots.directoryOf(session) : undefined),
    revoke: (session) => sessionRoots.revoke(session),
  };
}

/** One that cannot be read is there. */
function isKnown(store: Store, session: string): Promise<boolean> {
  return store.getSession(session).then(
    (row) => row !== undefined,
    () => true,
  );
}
