import { expect, test } from "vitest";
import { routes } from "../protocol/route-table.ts";
import { type AppDependencies, createApp } from "./app.ts";
import { DEFAULT_LIMITS } from "./config.ts";
import { testConfig } from "./synthetic-server-test-support.ts";

test("every route of the table is mounted, and nothing else", () => {
  const dependencies = { config: testConfig(), limits: DEFAULT_LIMITS } as AppDependencies;
  // Middleware and the refusal of other methods are mounted for ALL.
  const mounted = createApp(dependencies).routes.filter(({ method }) => method !== "ALL");
  const names = mounted.map(({ method, path }) => `${method} ${path}`);
  const expected = Object.values(routes).map(
    (route) => `${route.method.toUpperCase()} ${route.getRoutingPath()}`,
  );
  expect(names.sort()).toEqual(expected.sort());
});
