/** The composition root, and what `import "interlingua"` gives: the one place where choices meet. */
import { randomUUID } from "node:crypto";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Logger, pino } from "pino";
import { createAgents } from "./agents/registry.ts";
import { customAgents, expandAgentEnvironments, plainVariables } from "./config/agent-config.ts";
import { AgentSmithyStatus } from "./config/agentsmithy-status.ts";
import { localUrl, ownHosts } from "./config/bind-address.ts";
import { checkAgentConfig } from "./config/check-agent-config.ts";
import { checkConfig } from "./config/check-config.ts";
import { type Config, withDefaults } from "./config/config.ts";
import { ConfigError } from "./config/config-error.ts";
import { keepDaemonId, readDaemonId, readPlainDaemonId } from "./config/daemon-id.ts";
import { IN_MEMORY } from "./config/data-location.ts";
import { packageVersion } from "./config/package-version.ts";
import { SessionRoots } from "./config/session-roots.ts";
import { resolveToken } from "./config/token.ts";
import { principal } from "./core/principal.ts";
import type { Store } from "./core/store.ts";
import { AGENTSMITHY_MOUNT, agentSmithy, createAgentSmithy } from "./dialects/agentsmithy/dialect.ts";
import type { AnyDialect } from "./dialects/dialect.ts";
import { DIALECTS } from "./dialects/registry.ts";
import { createEngine, type EngineOptions } from "./engine/create-engine.ts";
import { createPrograms } from "./install/local-programs.ts";
import { keyNames } from "./process/child-environment.ts";
import { isDaemonRunning } from "./process/daemon-running.ts";
import { endMarkedProcesses } from "./process/end-marked-processes.ts";
import { createProcessHost } from "./process/local-process-host.ts";
import { findMarkedProcesses } from "./process/marked-processes.ts";
import { belongsToDaemon } from "./process/owner-marker.ts";
import { ownIdentity } from "./process/process-table.ts";
import { searchPath } from "./process/search-path.ts";
import { findUnsignedLeftovers } from "./process/unsigned-leftovers.ts";
import { AllowedRoots, type FurtherRoots } from "./server/allowed-roots.ts";
import { checkDialects } from "./server/check-dialects.ts";
import { type RunningServer, startServer } from "./server/http-server.ts";
import { openStore } from "./store/open-store.ts";
import {
  acquireDataDirectoryLock,
  type DataDirectoryLock,
  DataDirectoryLockedError,
} from "./store/sqlite/data-directory-lock.ts";
import { WORKTREES } from "./workspace/obstacle.ts";
import { openWorkspace, type WorkspaceOptions } from "./workspace/open-workspace.ts";
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
  /** Wraps the store, for probes and injected faults. */
  wrapStore?(store: Store): Store;
}

export interface Daemon {
  /** Where it listens, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Where AgentSmithy's protocol is served without a token, if it is. */
  readonly agentSmithyUrl?: string;
  /** Changes whenever somebody uses it; undefined while a request is open, a turn runs or a person is waited for. */
  activityCount(): Promise<number | undefined>;
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
  const dialects = [...DIALECTS.map((one) => withSettings(one, config)), ...(options.dialects ?? [])];
  checkDialects(dialects);
  // What was opened last is closed first, also when the start fails half way.
  const opened = new AsyncDisposableStack();
  try {
    const { wrapStore, canAddRoots } = options;
    return await openDaemon(config, { environment, logger, dialects, wrapStore, canAddRoots }, opened);
  } catch (error) {
    await opened.disposeAsync();
    throw error;
  }
}

async function openDaemon(
  config: Config,
  surroundings: Required<Pick<DaemonOptions, "environment" | "logger" | "dialects">> &
    Pick<DaemonOptions, "wrapStore" | "canAddRoots">,
  opened: AsyncDisposableStack,
): Promise<Daemon> {
  const { environment, logger, dialects, wrapStore, canAddRoots } = surroundings;
  const version = packageVersion();
  const home = openHome(config.data, { version, logger }, opened);
  const access = resolveToken(config);
  // Before the store is opened: if its agents show that another daemon is alive, nothing was touched.
  await endLeftovers(home, logger);

  const inner = await openStore(
    config.data === IN_MEMORY
      ? IN_MEMORY
      : {
          directory: config.data,
          // Nothing is lost: what could not be packed stays as it is and is retried.
          onSealError: (error) => logger.warn({ err: error }, "part of the log could not be packed"),
          onDamage: (session, error) =>
            logger.error(
              { err: error, session },
              session === undefined ? "the database cannot be read" : "part of a session cannot be read",
            ),
        },
  );
  opened.defer(() => inner.close());
  const store = wrapStore?.(inner) ?? inner;

  const processHost = createProcessHost({ daemonId: home.daemonId, environment, pass: config.env.pass });
  opened.defer(() => processHost.close());

  const programs = createPrograms({
    processHost,
    dataDirectory: home.directory,
    searchPath: searchPath(environment),
    settings: config.agents,
  });
  opened.defer(() => programs.close());
  const added = expandAgentEnvironments(config.agents, environment);
  const agents = createAgents({
    processHost,
    dataDirectory: home.directory,
    programs,
    environmentOf: (agent) => ({ ...environment, ...added[agent] }),
    custom: customAgents(config.agents),
  });
  checkAgentConfig(config, agents);
  const furtherRoots = home.lock && (await openSessionRoots(home.directory, store, canAddRoots));
  const roots = await AllowedRoots.resolve(workingRoots(config), furtherRoots);
  const workspaces = join(home.directory, "workspaces");
  const workspace = openWorkspace({ directory: workspaces, limits: checkpointLimits(config) });
  const worktrees =
    home.lock &&
    openWorktrees({
      directory: join(home.directory, WORKTREES),
      workspaces,
      workspace: config.checkpoints === "on" ? workspace : undefined,
    });
  await worktrees?.discardUnless((session) => isKnown(store, session));
  const engine = await createEngine({
    store,
    agents,
    workspace,
    checkpoints: config.checkpoints,
    worktrees,
    agentSettings: Object.fromEntries(
      Object.entries(config.agents).map(([name, settings]) => {
        const values = added[name] ?? {};
        const plain = plainVariables(settings, values);
        return [name, { install: settings.install, environment: values, plain }];
      }),
    ),
    programs,
    keysOf: clientKeys(dialects),
    limits: config.limits,
    logger,
    assertDirectory: async (directory, session) => void (await roots.directory(directory, session)),
  });
  opened.defer(() => engine.close());

  const server = await startServer({
    engine,
    store,
    dialects,
    config: {
      host: config.host,
      port: config.port,
      localUrl,
      token: access.token,
      allowedHosts: [...ownHosts(config.host), ...config.allowHosts],
      corsOrigins: config.corsOrigins,
      roots: workingRoots(config),
      furtherRoots,
      defaultAgent: config.agent,
      version,
      logger,
      limits: config.limits,
    },
  }).catch((error: unknown) => {
    throw explainListenError(error, config);
  });
  opened.defer(() => server.close());
  const agentSmithyPort =
    config.agentsmithyPort === undefined ? undefined : await openAgentSmithyPort(config, server, opened);

  home.lock?.update({
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
  });
  logger.info({ url: server.url, data: config.data, version }, "listening");
  let closing: Promise<void> | undefined;
  return {
    url: server.url,
    token: access.token,
    ...(agentSmithyPort !== undefined && { agentSmithyUrl: `http://localhost:${agentSmithyPort}` }),
    async activityCount() {
      // An agent that nobody uses is let go; one that is kept works in the background.
      if (server.requests.open > 0 || engine.stats().attachedAgents > 0) return undefined;
      for (const status of BUSY) {
        const { sessions } = await store.listSessions({ status, limit: 1 });
        if (sessions.length > 0) return undefined;
      }
      return server.requests.count;
    },
    close() {
      closing ??= opened.disposeAsync();
      return closing;
    },
  };
}

/** A built-in dialect as the config wants it. */
function withSettings(dialect: AnyDialect, { agentsmithyKeepRunning: keepsRunning }: Config): AnyDialect {
  return dialect === agentSmithy ? createAgentSmithy({ ...AGENTSMITHY_MOUNT, keepsRunning }) : dialect;
}

/** A port of its own for AgentSmithy's clients, which know no token. Gives its number. */
async function openAgentSmithyPort(
  config: Config,
  server: RunningServer,
  opened: AsyncDisposableStack,
): Promise<number> {
  const { agentsmithyPort: wanted = 0, agentsmithyWorkspace = config.cwd } = config;
  const workspace = realpathSync(agentsmithyWorkspace);
  const keepsRunning = config.agentsmithyKeepRunning;
  const dialect = createAgentSmithy({ prefix: "", workspace, keepsRunning });
  const caller = principal("agentsmithy-port", dialect.name);
  const port = await server.openPort({ dialect, port: wanted, caller }).catch((error: unknown) => {
    throw explainPortError(error, wanted);
  });
  const status = new AgentSmithyStatus(workspace, port);
  opened.defer(async () => {
    status.stopping();
    await server.close();
    status.stopped();
  });
  return port;
}

/** Those that the config does not name keep their defaults. */
function checkpointLimits({ limits }: Config): WorkspaceOptions["limits"] {
  const { maxCheckpointAgeMs, maxCheckpoints, maxCheckpointBytes } = limits;
  return {
    ...(maxCheckpointAgeMs !== undefined && { maxAgeMs: maxCheckpointAgeMs }),
    ...(maxCheckpoints !== undefined && { maxCheckpoints }),
    ...(maxCheckpointBytes !== undefined && { maxKeptBytes: maxCheckpointBytes }),
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

interface Home {
  /** Where agents may keep files of their own. */
  readonly directory: string;
  /** The mark of every process we start. */
  readonly daemonId: string;
  readonly lock?: DataDirectoryLock;
}

function openHome(
  data: string,
  about: { version: string; logger: Logger },
  opened: AsyncDisposableStack,
): Home {
  if (data === IN_MEMORY) {
    const directory = mkdtempSync(join(tmpdir(), "interlingua-"));
    opened.defer(() => rmSync(directory, { recursive: true, force: true }));
    return { directory, daemonId: randomUUID() };
  }
  const lock = lockDirectory(data, about);
  opened.defer(() => lock.release());
  const daemonId = keepDaemonId(data);
  lock.update({ daemonId });
  return { directory: data, daemonId, lock };
}

function lockDirectory(
  directory: string,
  { version, logger }: { version: string; logger: Logger },
): DataDirectoryLock {
  const { pid, startTime } = ownIdentity();
  const owner = { pid, processStart: startTime, startedAt: Date.now(), version };
  try {
    return acquireDataDirectoryLock(directory, owner, {
      isOwnerRunning: (named) => isDaemonRunning(named, readDaemonId(directory)),
      onDisturbed: (message) => logger.error(message),
    });
  } catch (error) {
    if (error instanceof DataDirectoryLockedError) throw error;
    const reason = (error as Error).message;
    throw new Error(`The data directory cannot be used (${reason}). Choose another with --data.`, {
      cause: error,
    });
  }
}

/** We hold the lock of the data directory, so whatever carries its mark belongs to a daemon that is dead. */
async function endLeftovers({ directory, daemonId }: Home, logger: Logger): Promise<void> {
  const { leftover, livingDaemon } = await findMarkedProcesses(daemonId);
  // The lock was removed under a living daemon.
  if (livingDaemon) throw new DataDirectoryLockedError(directory, { pid: livingDaemon.pid });
  await tellUnsignedLeftovers(directory, logger);
  if (leftover.length === 0) return;
  try {
    const pids = await endMarkedProcesses({ owner: (owner) => belongsToDaemon(owner, daemonId) });
    if (pids.length > 0) logger.warn({ pids }, "ended processes that an earlier daemon left running");
  } catch (error) {
    // Something that cannot be killed, stuck in the kernel say, is no reason to refuse all other work.
    logger.error({ err: error }, "could not end all processes that an earlier daemon left running");
  }
}

async function tellUnsignedLeftovers(directory: string, logger: Logger): Promise<void> {
  const id = readPlainDaemonId(directory);
  const pids = id === undefined ? [] : await findUnsignedLeftovers(id);
  if (pids.length === 0) return;
  const remedy = "end them by hand, unless this data directory is a copy and they belong to the original";
  logger.warn({ pids }, `a daemon of an earlier version left processes running: ${remedy}`);
}

function explainPortError(error: unknown, port: number): unknown {
  if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") return error;
  return new Error(
    `Port ${port} is in use. Stop what uses it, or choose another with --agentsmithy-port (0 picks one).`,
    { cause: error },
  );
}

function explainListenError(error: unknown, { host, port }: Pick<Config, "host" | "port">): unknown {
  const explain = (message: string) => new Error(message, { cause: error });
  switch ((error as NodeJS.ErrnoException).code) {
    case "EADDRINUSE":
      return explain(
        `Port ${port} on ${host} is in use. Stop what uses it, or choose another with --port (0 picks one).`,
      );
    case "EACCES":
      return explain(`Port ${port} needs more rights than we have. Choose one above 1023 with --port.`);
    case "EADDRNOTAVAIL":
    case "ENOTFOUND":
      return explain(`${host} is no address of this machine. Choose another with --host.`);
    default:
      return error;
  }
}
