import { expect, test } from "vitest";
import { DIALECTS } from "../dialects/registry.ts";
import { routes } from "../protocol/route-table.ts";
import { type AppDependencies, createApp } from "./app.ts";
import { DEFAULT_SERVER_LIMITS } from "./limits.ts";
import type { MountedRoute } from "./mount.ts";
import { testConfig } from "./synthetic-server-test-support.ts";

test("every route of the table, and every route and socket of the dialects is mounted, and nothing else", () => {
  const dependencies = {
    config: testConfig(),
    limits: DEFAULT_SERVER_LIMITS,
    dialects: DIALECTS,
    mount: { name: "main", port: 0, keepRunning: false },
  } as unknown as AppDependencies;
  // Middleware and the refusal of other methods are mounted for ALL.
  const mounted = createApp(dependencies).routes.filter(({ method }) => method !== "ALL");
  const names = mounted.map(({ method, path }) => `${method} ${path}`);
  const tables = [routes, ...DIALECTS.map((dialect) => dialect.routes)];
  const expected = tables
    .flatMap((table) => Object.values<MountedRoute>(table))
    .map((route) => `${route.method.toUpperCase()} ${route.getRoutingPath()}`);
  const sockets = DIALECTS.flatMap(({ channels = [] }) => channels).map(
    ({ path }) => `GET ${path.replaceAll(/\{(\w+)\}/g, ":$1")}`,
  );
  expect(names.sort()).toEqual([...expected, ...sockets].sort());
});
