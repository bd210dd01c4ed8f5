/**
 * What a request has to pass at a port without a token. Programs of this machine may use it, pages in a browser may
 * not: neither those of other sites nor those whose name was rebound to this machine.
 */
import type { IncomingMessage } from "node:http";
import type { MiddlewareHandler } from "hono";
import { InterlinguaError } from "../../core/error.ts";
import { RefillingBucket } from "../guard/refilling-bucket.ts";
import { addressOf } from "../guard/request-rates.ts";
import type { ServerLimits } from "../limits.ts";
import type { AppEnvironment } from "../mount.ts";

export interface PortGuardDependencies {
  limits: Pick<ServerLimits, "requestsPerSecond" | "requestBurst">;
  /** Known only once the port listens. */
  allowedHosts: () => ReadonlySet<string>;
  isClosing: () => boolean;
  onRefused: (code: "too_many_requests") => void;
}

export function portGuard(dependencies: PortGuardDependencies): MiddlewareHandler<AppEnvironment> {
  const { limits } = dependencies;
  const requests = new RefillingBucket(limits.requestsPerSecond, limits.requestBurst);
  return async (context, next) => {
    if (dependencies.isClosing()) {
      context.header("connection", "close");
      throw new InterlinguaError("shutting_down", "The daemon is shutting down. Try again in a moment.");
    }
    const incoming = context.env.incoming as IncomingMessage;
    assertHost(incoming, dependencies.allowedHosts());
    assertNoPage(incoming);
    const wait = requests.take(addressOf(incoming));
    if (wait > 0) {
      dependencies.onRefused("too_many_requests");
      throw new InterlinguaError(
        "too_many_requests",
        "Too many requests in a short time. Wait, then go on more slowly.",
        { retryAfterSeconds: wait },
      );
    }
    if (context.req.method === "OPTIONS")
      throw new InterlinguaError("method_not_allowed", "OPTIONS cannot be used here: pages may not call.");
    assertJson(incoming);
    await next();
  };
}

/** A request without a host is refused, too: every client of these protocols sends one. */
function assertHost({ headers }: IncomingMessage, allowed: ReadonlySet<string>): void {
  if (allowed.has(headers.host?.toLowerCase() ?? "")) return;
  throw new InterlinguaError(
    "host_not_allowed",
    "This host name is not one this port answers to. Use localhost, 127.0.0.1 or [::1] with its port.",
  );
}

/** Browsers name the page in one of these headers, or in both; programs send neither. */
function assertNoPage({ headers }: IncomingMessage): void {
  const site = headers["sec-fetch-site"];
  if (headers.origin === undefined && (site === undefined || site === "none")) return;
  throw new InterlinguaError(
    "origin_not_allowed",
    "Pages may not call this port. Use a program, or the daemon's own page.",
  );
}

const JSON_TYPE = /^application\/json\s*(?:;|$)/i;

/** Whatever a page can send without asking first, as a form does, is not declared as JSON. */
function assertJson({ headers }: IncomingMessage): void {
  const type = headers["content-type"];
  const hasBody = headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) > 0;
  if (type === undefined ? !hasBody : JSON_TYPE.test(type)) return;
  throw new InterlinguaError(
    "unsupported_media_type",
    "The body must be JSON. Send it with content-type: application/json.",
  );
}
