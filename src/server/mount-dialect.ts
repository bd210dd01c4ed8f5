/** Mounts the routes of a dialect. */
import type { Principal } from "../core/principal.ts";
import type { AnyDialect, DialectHandler, DialectServices } from "../dialects/dialect.ts";
import { bodyLimits } from "./body-limits.ts";
import type { ServerLimits } from "./config.ts";
import { dialectCall } from "./dialect-call.ts";
import { type App, type AppContext, type MountedRoute, mount } from "./mount.ts";
import type { BodyMemory } from "./read-json-body.ts";
import type { FanOut } from "./streams/fan-out.ts";

export interface DialectMounting {
  dialect: AnyDialect;
  /** Its routes by name, where they are mounted. */
  routes: Readonly<Record<string, MountedRoute>>;
  services: DialectServices;
  callerOf(context: AppContext): Principal;
  fanOut: FanOut;
  limits: ServerLimits;
  bodies: BodyMemory;
}

export function mountDialect(app: App, mounting: DialectMounting): void {
  const { dialect, routes, services, callerOf, fanOut, limits, bodies } = mounting;
  const { content, settings } = bodyLimits(limits);
  const handlers = dialect.handlers(services);
  for (const [name, route] of Object.entries(routes)) {
    const body = dialect.contentRoutes.includes(name) ? content : settings;
    // Route and handler have the same name; a loop over the names cannot express that to the compiler.
    const handle = handlers[name] as DialectHandler<typeof route>;
    const call = (context: AppContext) => dialectCall(context, fanOut, callerOf(context));
    mount(app, route, (input, context) => handle(input, call(context)), body, bodies);
  }
}
