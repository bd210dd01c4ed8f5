/**
 * What a request has to pass on a port without a token: no page of a browser gets through, whatever name it calls the
 * machine by. Every program of this machine does.
 */
import type { MiddlewareHandler } from "hono";
import { InterlinguaError } from "../core/error.ts";
import type { ServerLimits } from "./config.ts";
import { checkHost } from "./host-check.ts";
import type { AppContext, AppEnvironment } from "./mount.ts";
import { RateLimit } from "./rate-limit.ts";
import { isJsonType } from "./read-json-body.ts";

export interface PortGuardDependencies {
  limits: ServerLimits;
  /** Known only once the server listens. */
  allowedHosts: () => ReadonlySet<string>;
  isClosing: () => boolean;
  onRefused: (code: "too_many_requests") => void;
}

export function portGuard(dependencies: PortGuardDependencies): MiddlewareHandler<AppEnvironment> {
  const { limits } = dependencies;
  const requests = new RateLimit(limits.requestsPerSecond, limits.requestBurst);
  return async (context, next) => {
    if (dependencies.isClosing()) {
      context.header("connection", "close");
      throw new InterlinguaError("shutting_down", "The daemon is shutting down. Try again in a moment.");
    }
    // Unlike on the main port, a request without a host is refused: nothing else shows who it is meant for.
    checkHost(context.req.header("host") ?? "", dependencies.allowedHosts());
    refusePages(context);
    refuseOtherBodies(context);
    const wait = requests.take(context.env.incoming.socket.remoteAddress ?? "");
    if (wait > 0) {
      dependencies.onRefused("too_many_requests");
      throw new InterlinguaError(
        "too_many_requests",
        "Too many requests in a short time. Go on more slowly.",
        {
          retryAfterSeconds: wait,
        },
      );
    }
    await next();
  };
}

/** Browsers send these headers with what pages ask for, and programs do not. */
function refusePages({ req }: AppContext): void {
  const site = req.header("sec-fetch-site");
  if (req.header("origin") === undefined && (site === undefined || site === "none")) return;
  throw new InterlinguaError(
    "origin_not_allowed",
    "Pages may not call this port. Use a program, or the daemon's main port with its token.",
  );
}

/** A page could send another type without asking first. */
function refuseOtherBodies({ req }: AppContext): void {
  const hasBody =
    req.header("transfer-encoding") !== undefined || Number(req.header("content-length") ?? 0) > 0;
  if (!hasBody || isJsonType(req.header("content-type") ?? "")) return;
  throw new InterlinguaError(
    "unsupported_media_type",
    "The body must be JSON. Send it with content-type: application/json.",
  );
}
