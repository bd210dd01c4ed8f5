/** Which pages may call from a browser: the daemon's own, and those of the configured origins. */
import { InterlinguaError } from "../../core/error.ts";

export interface OriginRequest {
  host: string | undefined;
  origin: string | undefined;
  /** The `Sec-Fetch-Site` header. */
  site: string | undefined;
}

/** Returns the origin if it was configured, so that the answer may name it. Throws for any other foreign origin. */
export function checkOrigin(request: OriginRequest, corsOrigins: ReadonlySet<string>): string | undefined {
  const { origin, site, host } = request;
  if (origin !== undefined && corsOrigins.has(origin)) return origin;
  const isForeign = origin !== undefined && !isSameOrigin(origin, host);
  if (!isForeign && site !== "cross-site") return undefined;
  throw new InterlinguaError(
    "origin_not_allowed",
    "Pages of this origin may not call the daemon. Start it with --cors-origin to allow one.",
  );
}

/** The host was checked before; behind a proxy the scheme may differ from ours. */
function isSameOrigin(origin: string, host: string | undefined): boolean {
  return host !== undefined && URL.canParse(origin) && new URL(origin).host === host.toLowerCase();
}

/** Headers of answers to a configured origin. */
export function corsHeaders(origin: string): Record<string, string> {
  return {
    "access-control-allow-origin": origin,
    "access-control-expose-headers": "retry-after, x-interlingua-error, x-workflow-run-id",
  };
}

/** The answer to a preflight request. */
export function preflightHeaders(origin: string): Record<string, string> {
  return {
    ...corsHeaders(origin),
    "access-control-allow-methods": "GET, POST, PATCH, DELETE",
    "access-control-allow-headers": "authorization, content-type, last-event-id, x-interlingua-client",
    "access-control-max-age": "600",
  };
}
