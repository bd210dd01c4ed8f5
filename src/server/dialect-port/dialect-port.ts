/** A port of its own at whose root one dialect is served, without a token, over the sessions of one workspace. */
import type { Logger } from "pino";
import type { BuiltInName } from "../../core/built-in-names.ts";
import { principal } from "../../core/principal.ts";
import type { Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import type { AnyDialect, DialectMount } from "../../dialects/dialect.ts";
import type { Engine } from "../../engine/engine.ts";
import type { MessageHistory } from "../answers/message-history.ts";
import { UnsentAnswers } from "../answers/send-json.ts";
import { createFrame, refuseOtherMethods } from "../app-frame.ts";
import { BodyMemory } from "../bodies/read-json-body.ts";
import type { ServerConfig } from "../config.ts";
import { dialectServices } from "../dialects/dialect-services.ts";
import { mountDialect } from "../dialects/mount-dialect.ts";
import { AllowedRoots } from "../directories/allowed-roots.ts";
import { filesInside } from "../directories/local-files.ts";
import { allowedHosts } from "../guard/host-check.ts";
import type { Metrics } from "../health/metrics.ts";
import type { ServerLimits } from "../limits.ts";
import type { HttpListener, RequestCounts } from "../listen/http-listener.ts";
import type { MountedRoute } from "../mount.ts";
import type { Presence } from "../people/presence.ts";
import { FanOut } from "../streams/fan-out.ts";
import { AgentsAtWork } from "./agents-at-work.ts";
import { listenLoopback } from "./listen-loopback.ts";
import { portGuard } from "./port-guard.ts";
import { workspaceServices } from "./workspace-services.ts";
import { WorkspaceSessions } from "./workspace-sessions.ts";

export interface DialectPort {
  /** Its path has no parameters. */
  readonly dialect: AnyDialect;
  /** 0 picks a free one. */
  readonly port: number;
  /** A real path inside the allowed roots. */
  readonly workspace: string;
  readonly keepRunning: boolean;
  /** The name of everybody who uses the port. */
  readonly caller: BuiltInName;
  /** How many agents may work for it at once. */
  readonly maxAgentsAtWork: number;
  readonly announcement?: PortAnnouncement;
  /** A sentence for a port that cannot be listened at. */
  explain(error: NodeJS.ErrnoException): unknown;
}

/** Tells clients where the port is. Called in this order. */
export interface PortAnnouncement {
  /** Throws if the port must not be opened. */
  starting(): void;
  /** Throws if clients cannot be told: then the port is closed again. */
  ready(port: number): void;
  /** The last call, if the port could not be opened after all. Does not throw, nor do those below. */
  failed(error: Error): void;
  stopping(): void;
  stopped(): void;
}

/** What the ports share with the main one. */
export interface DialectPortDependencies {
  engine: Engine;
  store: Store;
  slices: TimeSlices;
  history: MessageHistory;
  metrics: Metrics;
  presence: Presence;
  logger: Logger;
  config: Pick<ServerConfig, "defaultAgent">;
  limits: ServerLimits;
  requests: RequestCounts;
  /** Where the page is. */
  address: () => string;
}

export interface RunningDialectPort {
  readonly dialect: string;
  readonly port: number;
  readonly workspace: string;
  /** Idempotent. */
  close(): Promise<void>;
}

/** Rejects when it cannot listen. Limits of requests are counted at each port by themselves, and agents have a share. */
export async function startDialectPort(
  given: DialectPort,
  dependencies: DialectPortDependencies,
): Promise<RunningDialectPort> {
  const { dialect, workspace, keepRunning, announcement } = given;
  const { engine, store, slices, limits, metrics, presence, requests } = dependencies;
  const logger = dependencies.logger.child({ port: dialect.name });
  let hosts: ReadonlySet<string> = new Set();
  let port = 0;
  let closing: Promise<void> | undefined;
  const mount: DialectMount = {
    name: "port",
    workspace,
    keepRunning,
    get port() {
      return port;
    },
  };

  announcement?.starting();
  const onFault = (error: unknown) => logger.error({ err: error }, "one reader of a session failed");
  const fanOut = new FanOut({ engine, store, slices, limits, presence, onFault });
  let listener: HttpListener | undefined;
  async function close(): Promise<void> {
    announcement?.stopping();
    await listener?.close(() => fanOut.close());
    announcement?.stopped();
  }
  try {
    const app = createFrame({
      unsent: new UnsentAnswers(limits.maxUnsentBytes),
      metrics,
      logger,
      dialectAt: () => dialect,
      nothingHere: "There is nothing here.",
    });
    app.use(
      portGuard({
        limits,
        allowedHosts: () => hosts,
        isClosing: () => closing !== undefined,
        onRefused: (code) => metrics.refused(code),
      }),
    );
    const files = filesInside(new AllowedRoots([workspace]));
    const services = dialectServices({ ...dependencies, logger, fanOut, files, mount });
    const routes = routesAtRoot(dialect);
    const caller = principal(given.caller, dialect.name, { name: given.caller, role: "owner" });
    const handlers = dialect.handlers(
      workspaceServices(
        services,
        new WorkspaceSessions(store, engine, workspace),
        new AgentsAtWork(store, given.maxAgentsAtWork),
      ),
    );
    mountDialect(app, {
      dialect,
      routes,
      handlersOf: () => handlers,
      callerOf: () => caller,
      assertAccepted() {},
      // What may be done here is a matter of the port, and nobody's right.
      onRefused() {},
      fanOut,
      limits,
      bodies: new BodyMemory(limits.maxBodyMemoryBytes),
    });
    refuseOtherMethods(app, Object.values(routes));

    listener = await listenLoopback({ app, port: given.port, limits, requests }).catch((error) => {
      throw given.explain(error);
    });
    port = listener.port;
    hosts = allowedHosts([], port);
    metrics.watch(fanOut);
    announcement?.ready(port);
  } catch (error) {
    await listener?.close(() => {});
    fanOut.close();
    announcement?.failed(error as Error);
    throw error;
  }
  logger.info({ url: `http://localhost:${port}`, workspace }, "listening without a token");
  return {
    dialect: dialect.name,
    port,
    workspace,
    close() {
      closing ??= close();
      return closing;
    },
  };
}

/** Without the dialect's path before them. Metrics still name them with it. */
function routesAtRoot({ name, path: base, routes, channels }: AnyDialect): Record<string, MountedRoute> {
  if (channels)
    throw new Error(`The dialect "${name}" cannot have a port of its own: channels are not served there.`);
  if (base.includes("{"))
    throw new Error(
      `The dialect "${name}" cannot have a port of its own: its path "${base}" has parameters.`,
    );
  const entries = Object.entries<MountedRoute>(routes).map(([route, definition]) => {
    const path = definition.getRoutingPath().slice(base.length) || "/";
    return [route, { ...definition, getRoutingPath: () => path }];
  });
  return Object.fromEntries(entries);
}
