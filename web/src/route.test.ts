import { expect, test } from "vitest";
import { linkTo, parseRoute, type Route } from "./route.ts";

test("each route leads to its own link and back", () => {
  const routes: Route[] = [
    { view: "start" },
    { view: "usage" },
    { view: "session", session: "demo" },
    { view: "session", session: "a.b-c_d", panel: "files" },
    { view: "session", session: "demo", panel: "tasks" },
    { view: "session", session: "demo", panel: "xray" },
    { view: "session", session: "demo", panel: "xray", seq: 17 },
    { view: "session", session: "demo", message: "msg:1" },
  ];
  for (const route of routes) expect(parseRoute(linkTo(route))).toEqual(route);
});

test("what is unknown is left out", () => {
  expect(parseRoute("")).toEqual({ view: "start" });
  expect(parseRoute("#/nowhere")).toEqual({ view: "start" });
  expect(parseRoute("#/sessions/a b")).toEqual({ view: "start" });
  expect(parseRoute("#/sessions/demo/garden")).toEqual({ view: "session", session: "demo" });
  expect(parseRoute("#/sessions/demo/xray/0")).toEqual({ view: "session", session: "demo" });
});
