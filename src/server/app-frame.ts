/** What every app has around its routes: common headers, counters, a line in the log, and errors as problems. */
import { OpenAPIHono } from "@hono/zod-openapi";
import type { Logger } from "pino";
import { InterlinguaError } from "../core/error.ts";
import type { AnyDialect } from "../dialects/dialect.ts";
import { isUnexpected, problemResponse } from "./answers/error-response.ts";
import type { UnsentAnswers } from "./answers/send-json.ts";
import { SECURITY_HEADERS } from "./guard/security-headers.ts";
import type { Metrics } from "./health/metrics.ts";
import { type App, type AppContext, type AppEnvironment, addHeaders, type MountedRoute } from "./mount.ts";

export interface FrameOptions {
  unsent: UnsentAnswers;
  metrics: Metrics;
  logger: Logger;
  /** Of every answer, besides the common ones. */
  headers?: Readonly<Record<string, string>>;
  /** The dialect that a path belongs to: it describes problems there. */
  dialectAt(path: string): AnyDialect | undefined;
  /** What whoever asks for an unknown path is told. */
  nothingHere: string;
}

/** Guards and routes are added to it, and at last `refuseOtherMethods`. */
export function createFrame(options: FrameOptions): App {
  const { unsent, metrics, logger } = options;
  const app: App = new OpenAPIHono<AppEnvironment>();
  app.use(async (context, next) => {
    const startedAt = performance.now();
    context.set("unsent", unsent);
    addHeaders(context, { ...SECURITY_HEADERS, ...options.headers });
    addHeaders(context, options.dialectAt(context.req.path)?.headers ?? {});
    await next();
    const { method, path } = context.req;
    const status = complete(context);
    metrics.answered(method, context.get("route"), status);
    // Without the query, in which people put secrets.
    logger.debug({ method, path, status, ms: performance.now() - startedAt }, "request");
  });
  app.notFound(() => {
    throw new InterlinguaError("not_found", options.nothingHere);
  });
  app.onError((error, context) => {
    // What a handler waited for was aborted with its `Call.signal`: nobody gets an answer.
    if (error.name === "AbortError" && context.env.outgoing.destroyed) return context.body(null, 499 as 400);
    if (isUnexpected(error))
      logger.error({ err: error, method: context.req.method, path: context.req.path }, "request failed");
    return sendProblem(context, error, options.dialectAt(context.req.path));
  });
  return app;
}

/** Call it after all routes were mounted, so that only unsupported methods get there. */
export function refuseOtherMethods(app: App, routes: readonly MountedRoute[]): void {
  const methods = Map.groupBy(routes, (route) => route.getRoutingPath());
  for (const [path, known] of methods) {
    const allow = known.map((route) => route.method.toUpperCase()).join(", ");
    app.all(path, (context) => {
      context.header("allow", allow);
      throw new InterlinguaError("method_not_allowed", `Only ${allow} can be used here.`);
    });
  }
}

/** Adds the common headers to an answer that has not begun. Returns its status. */
function complete(context: AppContext): number {
  const { outgoing } = context.env;
  if (context.get("isUpgraded")) return 101;
  if (outgoing.headersSent) return outgoing.statusCode;
  // The answer's own headers win, such as the page's policy.
  for (const [name, value] of Object.entries(context.get("headers")))
    if (!context.res.headers.has(name)) context.res.headers.set(name, value);
  return context.res.status;
}

function sendProblem(context: AppContext, error: unknown, dialect: AnyDialect | undefined): Response {
  const { status, headers, body } = problemResponse(error);
  const described = dialect?.describeProblem?.(body);
  if (described) return context.body(described.body, status as 400, { ...headers, ...described.headers });
  return context.body(JSON.stringify(body), status as 400, headers);
}
