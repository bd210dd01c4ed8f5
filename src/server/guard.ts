/** What a request has to pass before it reaches a route: host, origin, rate and token, in this order. */
import type { RouteConfig } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";
import { InterlinguaError } from "../core/error.ts";
import { TokenCheck, unauthorized } from "./auth.ts";
import type { ServerConfig, ServerLimits } from "./config.ts";
import { checkHost } from "./host-check.ts";
import { type AppContext, type AppEnvironment, addHeaders } from "./mount.ts";
import { checkOrigin, corsHeaders, preflightHeaders } from "./origin-check.ts";
import { RateLimit } from "./rate-limit.ts";

export interface GuardDependencies {
  config: Pick<ServerConfig, "token" | "corsOrigins">;
  routes: readonly RouteConfig[];
  limits: ServerLimits;
  /** Known only once the server listens. */
  allowedHosts: () => ReadonlySet<string>;
  isClosing: () => boolean;
  onRefused: (code: "unauthorized" | "too_many_requests") => void;
}

export function guard(dependencies: GuardDependencies): MiddlewareHandler<AppEnvironment> {
  const { config, limits } = dependencies;
  // Routes that declare an empty `security` need no token.
  const publicPaths = new Set(
    dependencies.routes.filter(({ security }) => security?.length === 0).map(({ path }) => path),
  );
  const token = new TokenCheck(config.token);
  const corsOrigins = new Set(config.corsOrigins);
  const requests = new RateLimit(limits.requestsPerSecond, limits.requestBurst);
  const failures = new RateLimit(limits.failuresPerSecond, limits.failureBurst);

  function checkRate(wait: number, detail: string): void {
    if (wait === 0) return;
    dependencies.onRefused("too_many_requests");
    throw new InterlinguaError("too_many_requests", detail, { retryAfterSeconds: wait });
  }

  function checkToken(context: AppContext, address: string): void {
    // Remote addresses are locked out after too many wrong tokens. On this machine all programs share one address, and
    // one that guesses must not lock out the others.
    if (!isLoopback(address))
      checkRate(failures.wait(address), "Too many wrong tokens. Wait, then send the right one.");
    if (token.accepts(context.req.header("authorization"))) return;
    checkRate(failures.take(address), "Too many requests without the right token. Send the right one.");
    dependencies.onRefused("unauthorized");
    throw unauthorized();
  }

  return async (context, next) => {
    if (dependencies.isClosing()) {
      context.header("connection", "close");
      throw new InterlinguaError("shutting_down", "The daemon is shutting down. Try again in a moment.");
    }
    const { req } = context;
    const host = req.header("host");
    checkHost(host, dependencies.allowedHosts());
    const origin = checkOrigin(
      { host, origin: req.header("origin"), site: req.header("sec-fetch-site") },
      corsOrigins,
    );
    if (origin !== undefined) addHeaders(context, corsHeaders(origin));
    const address = context.env.incoming.socket.remoteAddress ?? "";
    checkRate(requests.take(address), "Too many requests in a short time. Wait, then go on more slowly.");
    if (req.method === "OPTIONS" && origin !== undefined && req.header("access-control-request-method"))
      return context.body(null, 204, preflightHeaders(origin));
    if (!publicPaths.has(req.path)) checkToken(context, address);
    await next();
  };
}

function isLoopback(address: string): boolean {
  return address === "::1" || address.startsWith("127.") || address.startsWith("::ffff:127.");
}
