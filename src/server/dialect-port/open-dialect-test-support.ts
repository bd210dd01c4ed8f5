/** A dialect that lets tests call whatever its mount gives to it. */
import { z } from "@hono/zod-openapi";
import type { Dialect, View } from "../../dialects/dialect.ts";
import { defineRoute, eventStream, json, jsonBody } from "../../protocol/define-route.ts";

const tags = ["open"];

const health = defineRoute({
  method: "get",
  path: "/open/health",
  operationId: "openHealth",
  right: "service.read",
  summary: "Where it is mounted",
  tags,
  responses: { 200: json("The mount", z.record(z.string(), z.unknown())) },
});

const use = defineRoute({
  method: "post",
  path: "/open/api/{service}/{method}",
  operationId: "openUse",
  right: "service.read",
  summary: "Calls a method of a service",
  tags,
  request: {
    params: z.object({ service: z.enum(["engine", "store", "services"]), method: z.string() }),
    body: jsonBody(z.object({ args: z.array(z.unknown()) })),
  },
  responses: { 200: json("Its result", z.object({ result: z.unknown(), caller: z.string() })) },
});

const follow = defineRoute({
  method: "get",
  path: "/open/api/{id}/events",
  operationId: "openFollow",
  right: "session.read",
  summary: "Follows a session, without asking first whether it may",
  tags,
  request: { params: z.object({ id: z.string() }) },
  responses: { 200: eventStream("Types of events", z.string()) },
});

const createView = (): View => ({ add: ({ type }) => [{ text: `data: "${type}"\n\n` }] });

export const openDialect: Dialect<{ health: typeof health; use: typeof use; follow: typeof follow }> = {
  name: "open",
  description: "Whatever its mount gives to it",
  path: "/open",
  routes: { health, use, follow },
  contentRoutes: ["use"],
  headers: { "x-request-id": "open" },
  view: { scope: "session", resume: "none", create: createView },
  describeProblem: ({ code, detail }) => ({
    body: JSON.stringify({ code, detail }),
    headers: { "content-type": "application/json" },
  }),
  handlers: (services) => ({
    health() {
      const { name, port, workspace, keepRunning } = services.mount;
      return { status: 200, body: { name, port, workspace, keepRunning, agent: services.defaultAgent } };
    },
    async use({ params, body }, { caller }) {
      const service = params.service === "services" ? services : services[params.service];
      const method = Reflect.get(service, params.method) as (...args: unknown[]) => unknown;
      // The caller stands where the engine wants to know who acts.
      const args = body.args.map((arg) => (arg === "CALLER" ? caller : arg));
      const result = (await method.apply(service, args)) ?? null;
      return { status: 200, body: { result, caller: caller.name } };
    },
    follow: ({ params }, call) =>
      call.stream({ headers: { "content-type": "text/event-stream" } }, (sink) =>
        services.sessions.follow(sink, params.id, {
          view: createView(),
          after: 0,
          isComplete: ({ type }) => type === "turn.ended",
        }),
      ),
  }),
};
