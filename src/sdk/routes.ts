/** What each route of `/v1` takes and gives, by method and path. Types only, and none but our own. */
import type { operations, paths } from "./wire.generated.ts";

type Method = "get" | "post" | "patch" | "delete";

/** `POST /v1/sessions` and the like. */
export type RouteKey = {
  [Path in keyof paths]: {
    [Name in Method]: paths[Path][Name] extends operations[keyof operations]
      ? `${Uppercase<Name>} ${Path}`
      : never;
  }[Method];
}[keyof paths];

type Operation<Route extends RouteKey> = Route extends `${infer Name} ${infer Path extends keyof paths}`
  ? paths[Path][Lowercase<Name> & Method]
  : never;

type ParamsOf<Route> = Route extends { parameters: { path: infer Params extends object } }
  ? { params: Params }
  : { params?: never };

/** In an address everything is text, so numbers are as good. */
type QueryOf<Route> = Route extends { parameters: { query?: infer Query } }
  ? { query?: { [Name in keyof NonNullable<Query>]?: NonNullable<Query>[Name] | number } }
  : { query?: never };

type JsonOf<Holder> = Holder extends { content: { "application/json": infer Json } } ? Json : never;

type BodyOf<Route> = Route extends { requestBody: infer Body extends object }
  ? { body: JsonOf<Body> }
  : Route extends { requestBody?: infer Body }
    ? [NonNullable<Body>] extends [never]
      ? { body?: never }
      : { body?: JsonOf<NonNullable<Body>> }
    : { body?: never };

export type RouteRequest<Route extends RouteKey> = ParamsOf<Operation<Route>> &
  QueryOf<Operation<Route>> &
  BodyOf<Operation<Route>>;

/** What a route answers where it does not refuse. */
export type RouteAnswer<Route extends RouteKey> =
  Operation<Route> extends { responses: infer Responses } ? JsonOf<Responses[keyof Responses]> : never;
