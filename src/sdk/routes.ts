/** What each route of `/v1` takes and gives, by method and path. Types only, and none but our own. */
import type { Routes } from "./wire.generated.ts";

/** `POST /v1/sessions` and the like. */
export type RouteKey = keyof Routes;

type ParamsOf<Route> = Route extends { params: infer Params extends object }
  ? { params: Params }
  : { params?: never };

/** In an address everything is text, so numbers are as good. */
type QueryOf<Route> = Route extends { query: infer Query }
  ? { query?: { [Name in keyof Query]?: Query[Name] | number } }
  : { query?: never };

/** Some bodies may be left out. */
type BodyOf<Route> = Route extends { body: infer Body }
  ? { body: Body }
  : { body?: Route["body" & keyof Route] };

export type RouteRequest<Route extends RouteKey> = ParamsOf<Routes[Route]> &
  QueryOf<Routes[Route]> &
  BodyOf<Routes[Route]>;

/** What a route answers where it does not refuse. */
export type RouteAnswer<Route extends RouteKey> = Routes[Route] extends { answer: infer Answer }
  ? Answer
  : never;
