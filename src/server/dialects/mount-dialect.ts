/** Mounts the routes of a dialect. */
import type { Principal } from "../../core/principal.ts";
import type { Access } from "../../core/rights.ts";
import type { AnyDialect, DialectHandler } from "../../dialects/dialect.ts";
import type { OnRefused } from "../access/refused.ts";
import { bodyLimits } from "../bodies/body-limits.ts";
import type { BodyMemory } from "../bodies/read-json-body.ts";
import type { ServerLimits } from "../limits.ts";
import { type App, type AppContext, type MountedRoute, mount } from "../mount.ts";
import type { Streams } from "../streams/fan-out.ts";
import { dialectCall } from "./dialect-call.ts";

export interface DialectMounting {
  dialect: AnyDialect;
  /** Its routes by name, where they are mounted. */
  routes: Readonly<Record<string, MountedRoute>>;
  /** The handlers for whoever sent this request. */
  handlersOf(context: AppContext): ReturnType<AnyDialect["handlers"]>;
  callerOf(context: AppContext): Principal;
  assertAccepted(access: Access): void;
  fanOut: Pick<Streams, "open">;
  onRefused: OnRefused;
  limits: ServerLimits;
  bodies: BodyMemory;
}

export function mountDialect(app: App, mounting: DialectMounting): void {
  const { dialect, routes, handlersOf, callerOf, assertAccepted, onRefused, fanOut, limits, bodies } =
    mounting;
  const { content, settings } = bodyLimits(limits);
  for (const [name, route] of Object.entries(routes)) {
    const body = dialect.contentRoutes.includes(name) ? content : settings;
    // Route and handler have the same name; a loop over the names cannot express that to the compiler.
    const handler = (context: AppContext) => handlersOf(context)[name] as DialectHandler<typeof route>;
    mount(app, route, {
      handle: (input, context) => handler(context)(input, dialectCall(context, fanOut, callerOf(context))),
      callerOf,
      assertAccepted,
      onRefused,
      limits: body,
      memory: bodies,
    });
  }
}
