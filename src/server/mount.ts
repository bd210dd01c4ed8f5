/** Mounts a route of the table: validation before the handler, encoding of the answer after it. */
import type { IncomingMessage } from "node:http";
import type { HttpBindings } from "@hono/node-server";
import type { OpenAPIHono, RouteConfig } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Principal } from "../core/principal.ts";
import type { Access } from "../core/rights.ts";
import type { RouteInput, RouteReply } from "../protocol/define-route.ts";
import type { RouteName, Routes } from "../protocol/route-table.ts";
import { assertHasRight, checkFields, checkRoute, type RouteRights } from "./access/check-route.ts";
import type { OnRefused } from "./access/refused.ts";
import { ALREADY_SENT } from "./answers/already-sent.ts";
import { sendJson, type UnsentAnswers } from "./answers/send-json.ts";
import { type BodyLimits, type BodyMemory, readJsonBody } from "./bodies/read-json-body.ts";
import { bodySchema, validate } from "./bodies/validate.ts";

export interface AppEnvironment {
  Bindings: HttpBindings;
  Variables: {
    /** The path template of the matched route, for metrics. */
    route?: string;
    /** Headers of every answer to this request; streams send them themselves. */
    headers: Record<string, string>;
    /** Answers that are being sent. */
    unsent: UnsentAnswers;
    /** Whose token it has. Absent where no token is needed. */
    access?: Access;
    /** It is a probe that names a host which the daemon does not answer to. */
    isStranger?: boolean;
    /** It became a WebSocket. */
    isUpgraded?: boolean;
  };
}

export type AppContext = Context<AppEnvironment>;
export type App = OpenAPIHono<AppEnvironment>;

/** Gets validated input. Returns a status with its body, or a whole response if that is not enough. */
export type Handler<Route extends RouteConfig> = (
  input: RouteInput<Route>,
  context: AppContext,
) => Promise<RouteReply<Route> | Response> | RouteReply<Route> | Response;

/** One handler for every route of the table. */
export type Handlers = { [Name in RouteName]: Handler<Routes[Name]> };

export type MountedRoute = RouteRights & { getRoutingPath(): string };

export interface Mounting<Route extends RouteConfig> {
  handle: Handler<Route>;
  callerOf(context: AppContext): Principal;
  /** Throws if the caller's token has ended since the request began. */
  assertAccepted(access: Access): void;
  onRefused: OnRefused;
  limits: BodyLimits;
  memory: BodyMemory;
}

export function mount<Route extends MountedRoute>(
  app: App,
  route: Route,
  { handle, callerOf, assertAccepted, onRefused, limits, memory }: Mounting<Route>,
): void {
  assertHasRight(route);
  const hasBody = bodySchema(route) !== undefined;
  const anyType = takesAnyType(route);
  app.on(route.method, route.getRoutingPath(), async (context) => {
    context.set("route", route.path);
    const caller = callerOf(context);
    const session = sessionIn(route, context);
    checkRoute(route, caller, onRefused, session);
    async function answer(body?: unknown): Promise<Response> {
      const query = new URL(context.req.url).searchParams;
      const input = validate(route, { params: context.req.param(), query, body });
      checkFields(route, input.query, caller, onRefused, session);
      // A body can be sent as slowly as its sender likes.
      assertAccepted(caller.access);
      const reply = await handle(input, context);
      // Not `instanceof`: an application in the same process may have put another class in the place of the global one.
      if ("headers" in reply) return reply;
      // It may have waited for an agent. Who ended their own token is told that it is done.
      if ("body" in reply) assertAccepted(caller.access);
      return send(context, reply as { status: number; body?: object });
    }
    if (!hasBody) return answer();
    return memory.during(async (note) =>
      answer(await readJsonBody(context.env.incoming as IncomingMessage, limits, note, anyType)),
    );
  });
}

/** The session that a route of `/v1` is about, for the notes of refusals. */
function sessionIn({ path }: RouteConfig, context: AppContext): string | undefined {
  return path.startsWith("/v1/sessions/{id}") ? context.req.param("id") : undefined;
}

/** Adds headers to the answer, whoever sends it. */
export function addHeaders(context: AppContext, headers: Readonly<Record<string, string>>): void {
  context.set("headers", { ...context.get("headers"), ...headers });
}

function send(context: AppContext, { status, body }: { status: number; body?: object }): Response {
  const { outgoing } = context.env;
  const headers = context.get("headers");
  if (body !== undefined) return sendJson(context, status, [JSON.stringify(body)]);
  outgoing.writeHead(status, headers).end();
  return ALREADY_SENT;
}

/** Whether the route takes JSON that is not declared as such. */
function takesAnyType(route: RouteConfig): boolean {
  return route.request?.body?.content["text/plain"] !== undefined;
}
