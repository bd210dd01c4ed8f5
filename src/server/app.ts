/** The app: the guard, every route of the table, and errors as problems. */

import { type Access, OWNER } from "../core/rights.ts";
import type { DialectMount } from "../dialects/dialect.ts";
import { openApiDocument } from "../protocol/openapi-document.ts";
import { CONTENT_ROUTES, type RouteName, routes } from "../protocol/route-table.ts";
import { AccessParts } from "./access/access-parts.ts";
import type { OnRefused } from "./access/refused.ts";
import type { UnsentAnswers } from "./answers/send-json.ts";
import { createFrame, refuseOtherMethods } from "./app-frame.ts";
import { bodyLimits } from "./bodies/body-limits.ts";
import { BodyMemory } from "./bodies/read-json-body.ts";
import { mountChannels } from "./channels/mount-channels.ts";
import type { Upgrades } from "./channels/upgrades.ts";
import { isUnder } from "./dialects/dialect-path.ts";
import { mountDialect } from "./dialects/mount-dialect.ts";
import { callerOf } from "./guard/caller.ts";
import { guard } from "./guard/guard.ts";
import type { HandlerDependencies } from "./handlers/index.ts";
import type { ServerLimits } from "./limits.ts";
import { type App, type AppContext, type Handler, type MountedRoute, mount } from "./mount.ts";
import { page } from "./page.ts";
import { referencePage } from "./reference/reference-page.ts";
import type { FanOut } from "./streams/fan-out.ts";

export interface AppDependencies extends HandlerDependencies {
  fanOut: FanOut;
  onRefused: OnRefused;
  limits: ServerLimits;
  unsent: UnsentAnswers;
  mount: DialectMount;
  /** Known only once the server listens. */
  allowedHosts: () => ReadonlySet<string>;
  isClosing: () => boolean;
  upgrades: Upgrades;
}

export function createApp(dependencies: AppDependencies): App {
  const { limits, dialects, onRefused, checks } = dependencies;
  const assertAccepted = (access: Access) => checks.assertAccepted(access);
  const allRoutes = [routes, ...dialects.map((dialect) => dialect.routes)].flatMap((table) =>
    Object.values<MountedRoute>(table),
  );
  const app = createFrame({
    ...dependencies,
    headers: dependencies.config.corsOrigins.length > 0 ? { vary: "origin" } : {},
    dialectAt: (path) => dialects.find((dialect) => isUnder(path, dialect.path)),
    nothingHere: "There is nothing here. GET /docs and GET /v1/openapi.json list every route.",
  });
  const { version } = dependencies.config;
  app.use(page({ ...dependencies, reference: () => referencePage(openApiDocument(version, dialects)) }));
  app.use(guard({ ...dependencies, routes: allRoutes }));

  const parts = new AccessParts(dependencies);
  const bodies = new BodyMemory(limits.maxBodyMemoryBytes);
  const { content, settings } = bodyLimits(limits);
  // Route and handler have the same name; a loop over the names cannot express that to the compiler.
  for (const name of Object.keys(routes) as RouteName[]) {
    mount(app, routes[name], {
      handle: (input, context) => {
        const handle = parts.handlersFor(accessOf(context))[name] as Handler<(typeof routes)[typeof name]>;
        return handle(input, context);
      },
      callerOf,
      assertAccepted,
      onRefused,
      limits: CONTENT_ROUTES.has(name) ? content : settings,
      memory: bodies,
    });
  }
  const { fanOut, upgrades, logger } = dependencies;
  for (const dialect of dialects) {
    const callerOfDialect = (context: AppContext) => callerOf(context, dialect.name);
    const { routes } = dialect;
    const ofDialect = parts.dialect(dialect);
    const mounting = {
      dialect,
      callerOf: callerOfDialect,
      assertAccepted,
      onRefused,
      fanOut,
      limits,
      bodies,
    };
    mountDialect(app, {
      ...mounting,
      routes,
      handlersOf: (context) => ofDialect.of(accessOf(context)).handlers,
    });
    mountChannels(app, {
      ...mounting,
      ...{ upgrades, logger },
      handlerOf: (definition, context) => ofDialect.of(accessOf(context)).channels.get(definition)!,
    });
  }
  refuseOtherMethods(app, allRoutes);
  return app;
}

/** Routes that need no token show everybody the same. */
function accessOf(context: AppContext): Access {
  return context.get("access") ?? OWNER;
}
