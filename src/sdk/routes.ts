/** What each route of `/v1` takes and gives, by method and path. Types only: nothing of the route table is loaded. */
import type { RouteConfig, z } from "@hono/zod-openapi";
import type { RouteReply } from "../protocol/define-route.ts";
import type { Routes } from "../protocol/route-table.ts";

type Key<Route> = Route extends { method: infer Method extends string; path: infer Path extends string }
  ? `${Uppercase<Method>} ${Path}`
  : never;

type RoutesByKey = { [Name in keyof Routes as Key<Routes[Name]>]: Routes[Name] };

/** `POST /v1/sessions` and the like. */
export type RouteKey = keyof RoutesByKey;

/** Before validation: what has a default may be left out. */
type InputOf<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;

type ParamsOf<Route> = Route extends { request: { params: infer Schema } }
  ? { params: InputOf<Schema> }
  : { params?: never };

type QueryOf<Route> = Route extends { request: { query: infer Schema } }
  ? { query?: { [Name in keyof InputOf<Schema>]?: InputOf<Schema>[Name] | number } }
  : { query?: never };

type BodyOf<Route> = Route extends {
  request: { body: { required: infer Required; content: { "application/json": { schema: infer Schema } } } };
}
  ? Required extends true
    ? { body: InputOf<Schema> }
    : { body?: InputOf<Schema> }
  : { body?: never };

export type RouteRequest<Route extends RouteKey> = ParamsOf<RoutesByKey[Route]> &
  QueryOf<RoutesByKey[Route]> &
  BodyOf<RoutesByKey[Route]>;

/** What a route answers where it does not refuse. */
export type RouteAnswer<Route extends RouteKey> = RoutesByKey[Route] extends RouteConfig
  ? RouteReply<RoutesByKey[Route]> extends infer Reply
    ? Reply extends { body: infer Body }
      ? Body
      : never
    : never
  : never;
