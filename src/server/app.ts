/** The app: the guard, every route of the table, and errors as problems. */
import { OpenAPIHono } from "@hono/zod-openapi";
import { InterlinguaError } from "../core/error.ts";
import type { Principal } from "../core/principal.ts";
import type { AnyDialect, DialectHandler } from "../dialects/dialect.ts";
import { openApiDocument } from "../protocol/openapi-document.ts";
import { CONTENT_ROUTES, type RouteName, routes } from "../protocol/route-table.ts";
import { callerOf } from "./caller.ts";
import type { ServerLimits } from "./config.ts";
import { dialectCall } from "./dialect-call.ts";
import { isUnder } from "./dialect-path.ts";
import { dialectServices } from "./dialect-services.ts";
import { isUnexpected, problemResponse } from "./error-response.ts";
import { type GuardDependencies, guard } from "./guard.ts";
import { type HandlerDependencies, handlers } from "./handlers/index.ts";
import {
  type App,
  type AppContext,
  type AppEnvironment,
  addHeaders,
  type Handler,
  type MountedRoute,
  mount,
} from "./mount.ts";
import { page } from "./page.ts";
import { portGuard } from "./port-guard.ts";
import { type BodyLimits, BodyMemory } from "./read-json-body.ts";
import { referencePage } from "./reference/reference-page.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";
import type { UnsentAnswers } from "./send-json.ts";

/** This many are parsed and checked in a few tens of milliseconds. */
const MAX_CONTENT_VALUES = 200_000;
const MAX_SETTINGS_VALUES = 20_000;

export interface AppDependencies extends HandlerDependencies {
  limits: ServerLimits;
  unsent: UnsentAnswers;
  allowedHosts: GuardDependencies["allowedHosts"];
  isClosing: GuardDependencies["isClosing"];
}

export function createApp(dependencies: AppDependencies): App {
  const { metrics, dialects } = dependencies;
  const allRoutes = [routes, ...dialects.map((dialect) => dialect.routes)].flatMap((table) =>
    Object.values<MountedRoute>(table),
  );
  const app = beginApp(dependencies);
  const { version } = dependencies.config;
  app.use(page({ ...dependencies, reference: () => referencePage(openApiDocument(version, dialects)) }));
  app.use(guard({ ...dependencies, routes: allRoutes, onRefused: (code) => metrics.refused(code) }));

  const all = handlers(dependencies);
  const bodies = bodyRules(dependencies);
  // Route and handler have the same name; a loop over the names cannot express that to the compiler.
  for (const name of Object.keys(routes) as RouteName[]) {
    const handler = all[name] as Handler<(typeof routes)[typeof name]>;
    mount(
      app,
      routes[name],
      handler,
      CONTENT_ROUTES.has(name) ? bodies.content : bodies.settings,
      bodies.memory,
    );
  }
  mountDialects(app, dependencies, bodies, callerOf);
  return endApp(app, dependencies, allRoutes);
}

/** The app of a port that serves one dialect and nothing else, without a token. All that come are the same caller. */
export function createPortApp(dependencies: AppDependencies, caller: Principal): App {
  const { metrics, dialects } = dependencies;
  const app = beginApp(dependencies);
  app.use(portGuard({ ...dependencies, onRefused: (code) => metrics.refused(code) }));
  mountDialects(app, dependencies, bodyRules(dependencies), () => caller);
  const allRoutes = dialects.flatMap((dialect) => Object.values<MountedRoute>(dialect.routes));
  return endApp(app, dependencies, allRoutes);
}

function beginApp({ logger, metrics, dialects, unsent, config }: AppDependencies): App {
  const app: App = new OpenAPIHono<AppEnvironment>();
  app.use(async (context, next) => {
    const startedAt = performance.now();
    context.set("unsent", unsent);
    addHeaders(context, SECURITY_HEADERS);
    if (config.corsOrigins.length > 0) addHeaders(context, { vary: "origin" });
    addHeaders(context, dialectAt(dialects, context.req.path)?.headers ?? {});
    await next();
    const { method, path } = context.req;
    const status = complete(context);
    metrics.answered(method, context.get("route"), status);
    // Without the query, in which people put secrets.
    logger.debug({ method, path, status, ms: performance.now() - startedAt }, "request");
  });
  return app;
}

interface BodyRules {
  content: BodyLimits;
  settings: BodyLimits;
  memory: BodyMemory;
}

function bodyRules({ limits }: AppDependencies): BodyRules {
  return {
    content: { maxBytes: limits.maxBodyBytes, maxValues: MAX_CONTENT_VALUES },
    settings: {
      maxBytes: Math.min(limits.maxBodyBytes, limits.maxSettingsBytes),
      maxValues: MAX_SETTINGS_VALUES,
    },
    memory: new BodyMemory(limits.maxBodyMemoryBytes),
  };
}

function mountDialects(
  app: App,
  dependencies: AppDependencies,
  bodies: BodyRules,
  callerOf: (context: AppContext, dialect: string) => Principal,
): void {
  const services = dialectServices(dependencies);
  for (const dialect of dependencies.dialects) {
    const own = dialect.handlers(services);
    for (const [name, route] of Object.entries(dialect.routes)) {
      const body = dialect.contentRoutes.includes(name) ? bodies.content : bodies.settings;
      // Route and handler have the same name; a loop over the names cannot express that to the compiler.
      const handle = own[name] as DialectHandler<typeof route>;
      const call = (context: AppContext) =>
        dialectCall(context, dependencies.fanOut, callerOf(context, dialect.name));
      mount(app, route, (input, context) => handle(input, call(context)), body, bodies.memory);
    }
  }
}

/** What is left when no route has matched, or one has failed. */
function endApp(app: App, { logger, dialects }: AppDependencies, allRoutes: readonly MountedRoute[]): App {
  refuseOtherMethods(app, allRoutes);
  app.notFound(() => {
    throw new InterlinguaError(
      "not_found",
      "There is nothing here. GET /docs and GET /v1/openapi.json list every route.",
    );
  });
  app.onError((error, context) => {
    // What a handler waited for was aborted with its `Call.signal`: nobody gets an answer.
    if (error.name === "AbortError" && context.env.outgoing.destroyed) return context.body(null, 499 as 400);
    if (isUnexpected(error))
      logger.error({ err: error, method: context.req.method, path: context.req.path }, "request failed");
    return sendProblem(context, error, dialects);
  });
  return app;
}

/** Adds the common headers to an answer that has not begun. Returns its status. */
function complete(context: AppContext): number {
  const { outgoing } = context.env;
  if (outgoing.headersSent) return outgoing.statusCode;
  // The answer's own headers win, such as the page's policy.
  for (const [name, value] of Object.entries(context.get("headers")))
    if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  return context.res.status;
}

function dialectAt(dialects: readonly AnyDialect[], path: string): AnyDialect | undefined {
  return dialects.find((dialect) => isUnder(path, dialect.path));
}

function sendProblem(context: AppContext, error: unknown, dialects: readonly AnyDialect[]): Response {
  const { status, headers, body } = problemResponse(error);
  const described = dialectAt(dialects, context.req.path)?.describeProblem?.(body);
  if (described) return context.body(described.body, status as 400, { ...headers, ...described.headers });
  return context.body(JSON.stringify(body), status as 400, headers);
}

/** Mounted after all routes, so that only unsupported methods get here. */
function refuseOtherMethods(app: App, allRoutes: readonly MountedRoute[]): void {
  const methods = Map.groupBy(allRoutes, (route) => route.getRoutingPath());
  for (const [path, known] of methods) {
    const allow = known.map((route) => route.method.toUpperCase()).join(", ");
    app.all(path, (context) => {
      context.header("allow", allow);
      throw new InterlinguaError("method_not_allowed", `Only ${allow} can be used here.`);
    });
  }
}
