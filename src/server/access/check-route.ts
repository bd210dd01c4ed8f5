/** Whether whoever calls has the rights that a route declares: its own, and those of what the query asks for. */
import type { RouteConfig } from "@hono/zod-openapi";
import type { Principal } from "../../core/principal.ts";
import { hasRight, type Right } from "../../core/rights.ts";
import type { FieldRights } from "../../protocol/define-route.ts";
import { lacksRight } from "../../protocol/refusals.ts";
import type { OnRefused } from "./refused.ts";

export interface RouteRights extends RouteConfig {
  readonly right?: Right;
  readonly fieldRights?: FieldRights;
}

/** Throws for a route that everybody could call because nobody thought of its right. */
export function assertHasRight({ method, path, right, security }: RouteRights): void {
  if (right !== undefined || security?.length === 0) return;
  throw new Error(`The route ${method} ${path} needs a right, or "security: []" where no token is needed.`);
}

/** Called before the body is read. Throws `forbidden`. */
export function checkRoute(route: RouteRights, by: Principal, onRefused: OnRefused, session?: string): void {
  const { right } = route;
  if (right === undefined || hasRight(by.access, right)) return;
  onRefused(by, right, session);
  throw lacksRight(right, by.access);
}

/** Called with the query once it is known to be valid. Throws `forbidden` with the name of the field. */
export function checkFields(
  { fieldRights }: RouteRights,
  query: unknown,
  by: Principal,
  onRefused: OnRefused,
  session?: string,
): void {
  for (const [field, values] of Object.entries(fieldRights ?? {})) {
    const given = (query as Record<string, unknown> | undefined)?.[field];
    for (const value of Array.isArray(given) ? given : [given]) {
      const right = Object.hasOwn(values, String(value)) ? values[String(value)] : undefined;
      if (right === undefined || hasRight(by.access, right)) continue;
      onRefused(by, right, session);
      throw lacksRight(right, by.access, { path: field });
    }
  }
}
