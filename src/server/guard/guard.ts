/** Lets a request pass to its route once it has passed the checks, and notes whose it is. */
import type { IncomingMessage } from "node:http";
import type { RouteConfig } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { routes } from "../../protocol/route-table.ts";
import { refuseTokenInQuery } from "../channels/check-handshake.ts";
import { offeredToken } from "../channels/offered-protocols.ts";
import { type AppEnvironment, addHeaders } from "../mount.ts";
import { corsHeaders, preflightHeaders } from "./origin-check.ts";
import type { RequestChecks } from "./request-checks.ts";

/** Load balancers probe these by address, so they answer for every host. */
const PROBE_PATHS: ReadonlySet<string> = new Set([routes.getLiveness.path, routes.getReadiness.path]);

export interface GuardDependencies {
  checks: RequestChecks;
  routes: readonly RouteConfig[];
  isClosing: () => boolean;
}

export function guard({
  checks,
  routes: mounted,
  isClosing,
}: GuardDependencies): MiddlewareHandler<AppEnvironment> {
  // Routes that declare an empty `security` need no token.
  const publicPaths = new Set(
    mounted.filter(({ security }) => security?.length === 0).map(({ path }) => path),
  );

  return async (context, next) => {
    if (isClosing()) context.header("connection", "close");
    checks.checkOpen();
    const { req } = context;
    const incoming = context.env.incoming as IncomingMessage;
    const isProbe = (req.method === "GET" || req.method === "HEAD") && PROBE_PATHS.has(req.path);
    if (isProbe) context.set("isStranger", !checks.namesOurHost(incoming));
    const origin = isProbe ? checks.checkOrigin(incoming) : checks.checkSender(incoming);
    if (origin !== undefined) addHeaders(context, corsHeaders(origin));
    // A balancer probes from the address that its clients' requests come from. A flood of those must not fail the probe.
    if (!isProbe) checks.checkRate(incoming);
    if (req.method === "OPTIONS" && origin !== undefined && req.header("access-control-request-method"))
      return context.body(null, 204, preflightHeaders(origin));
    if (!publicPaths.has(req.path)) {
      if (incoming.headers.upgrade !== undefined) refuseTokenInQuery(new URL(req.url).searchParams);
      const access = checks.requireAccess(incoming, offeredToken(incoming));
      context.set("access", access instanceof Promise ? await access : access);
    }
    await next();
  };
}
