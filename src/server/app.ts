/** The app: the door, every route of the table, and errors as problems. */
import { OpenAPIHono } from "@hono/zod-openapi";
import { InterlinguaError } from "../core/error.ts";
import { CONTENT_ROUTES, type RouteName, routes } from "../protocol/route-table.ts";
import type { ServerLimits } from "./config.ts";
import { type DoorDependencies, door } from "./door.ts";
import { isUnexpected, problemResponse } from "./error-response.ts";
import { type HandlerDependencies, handlers } from "./handlers/index.ts";
import { type App, type AppContext, type AppEnvironment, addHeaders, type Handler, mount } from "./mount.ts";
import { page } from "./page.ts";
import { BodyMemory } from "./read-json-body.ts";
import { SECURITY_HEADERS } from "./security-headers.ts";
import type { UnsentAnswers } from "./send-json.ts";

/** Chat clients show the whole body of a refusal to a person: there it is the sentence alone. */
const CHAT_PATH = "/api/chat";

/** So many are parsed and checked in a few tens of milliseconds. */
const MOST_CONTENT_VALUES = 200_000;
const MOST_SETTINGS_VALUES = 20_000;

export interface AppDependencies extends HandlerDependencies {
  limits: ServerLimits;
  unsent: UnsentAnswers;
  allowedHosts: DoorDependencies["allowedHosts"];
  isClosing: DoorDependencies["isClosing"];
}

export function createApp(dependencies: AppDependencies): App {
  const { limits, logger, metrics } = dependencies;
  const app: App = new OpenAPIHono<AppEnvironment>();

  app.use(async (context, next) => {
    const startedAt = performance.now();
    context.set("unsent", dependencies.unsent);
    addHeaders(context, SECURITY_HEADERS);
    if (dependencies.config.corsOrigins.length > 0) addHeaders(context, { vary: "origin" });
    await next();
    const { method, path } = context.req;
    const status = complete(context);
    metrics.answered(method, context.get("route"), status);
    // The query is left out: people put into it what does not belong there.
    logger.debug({ method, path, status, ms: performance.now() - startedAt }, "request");
  });
  app.use(page(dependencies));
  app.use(door({ ...dependencies, onRefused: (code) => metrics.refused(code) }));

  const all = handlers(dependencies);
  const bodies = new BodyMemory(limits.maxBodyMemoryBytes);
  const content = { maxBytes: limits.maxBodyBytes, maxValues: MOST_CONTENT_VALUES };
  const settings = {
    maxBytes: Math.min(limits.maxBodyBytes, limits.maxSettingsBytes),
    maxValues: MOST_SETTINGS_VALUES,
  };
  // Route and handler have the same name; a loop over the names cannot express that to the compiler.
  for (const name of Object.keys(routes) as RouteName[]) {
    const handler = all[name] as Handler<(typeof routes)[typeof name]>;
    mount(app, routes[name], handler, CONTENT_ROUTES.has(name) ? content : settings, bodies);
  }
  refuseOtherMethods(app);

  app.notFound(() => {
    throw new InterlinguaError("not_found", "There is nothing here. GET /v1/openapi.json lists every route.");
  });
  app.onError((error, context) => {
    if (isUnexpected(error))
      logger.error({ err: error, method: context.req.method, path: context.req.path }, "request failed");
    return sendProblem(context, error);
  });
  return app;
}

/** Gives an answer that is not under way yet the headers every answer has. Returns its status. */
function complete(context: AppContext): number {
  const { outgoing } = context.env;
  if (outgoing.headersSent) return outgoing.statusCode;
  // What the answer says itself counts more, such as the page's own policy.
  for (const [name, value] of Object.entries(context.get("headers")))
    if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  return context.res.status;
}

function sendProblem(context: AppContext, error: unknown): Response {
  const { status, headers, body } = problemResponse(error);
  if (context.req.path.startsWith(CHAT_PATH)) {
    const plain = {
      ...headers,
      "content-type": "text/plain; charset=utf-8",
      "x-interlingua-error": body.code,
    };
    return context.body(body.detail, status as 400, plain);
  }
  return context.body(JSON.stringify(body), status as 400, headers);
}

/** Mounted after all routes, so that only methods no route has come here. */
function refuseOtherMethods(app: App): void {
  const methods = Map.groupBy(Object.values(routes), (route) => route.getRoutingPath());
  for (const [path, known] of methods) {
    const allow = known.map((route) => route.method.toUpperCase()).join(", ");
    app.all(path, (context) => {
      context.header("allow", allow);
      throw new InterlinguaError("method_not_allowed", `Only ${allow} can be used here.`);
    });
  }
}
