/** A route as a value: method, path, schemas and documentation, and the types its handler must have. */
import { createRoute, type RouteConfig, type z } from "@hono/zod-openapi";
import { ERROR_CODES, type ErrorCode } from "../core/error.ts";
import type { Right } from "../core/rights.ts";
import { problemSchema } from "./schemas/problem.ts";

/** The guard may refuse any route. */
const GUARD_CODES: readonly ErrorCode[] = [
  "unauthorized",
  "host_not_allowed",
  "origin_not_allowed",
  "too_many_requests",
];

/** Whoever calls may lack the right. */
const RIGHT_CODES: readonly ErrorCode[] = ["forbidden"];

/** A query may have a name that no route knows. */
const QUERY_CODES: readonly ErrorCode[] = ["invalid_request"];

const BODY_CODES: readonly ErrorCode[] = [
  "invalid_request",
  "body_too_large",
  "body_too_complex",
  "unsupported_media_type",
];

/** Requests of our own protocol are checked strictly. Clients of other protocols may add fields. */
export function isStrict(path: string): boolean {
  return path.startsWith("/v1/");
}

/** Whoever calls it has this right, or, with an empty `security`, needs no token. */
export type RouteRight =
  | { readonly right: Right; readonly fieldRights?: FieldRights }
  | { readonly security: readonly []; readonly right?: never; readonly fieldRights?: never };

/** Which further right a value of a field in the query needs: `{ include: { raw: "session.raw" } }`. */
export type FieldRights = Readonly<Record<string, Readonly<Record<string, Right>>>>;

interface RouteDefinition extends RouteConfig {
  operationId: string;
  summary: string;
  /** Error codes of this route, besides those of every route. */
  fails?: readonly ErrorCode[];
}

/** Adds the answers every route has, so that a definition names only its own. */
export function defineRoute<const Definition extends RouteDefinition & RouteRight>(definition: Definition) {
  const { fails = [], ...route } = definition;
  const codes = [
    ...GUARD_CODES,
    ...(definition.right ? RIGHT_CODES : []),
    ...(isStrict(definition.path) ? QUERY_CODES : []),
    ...(definition.request?.body ? BODY_CODES : []),
    ...fails,
  ];
  return createRoute({
    ...route,
    // The route's own answers win over a problem of the same status.
    responses: { ...problems(codes), ...definition.responses },
  } as Definition);
}

/** One documented answer per status, naming the codes it can carry. */
function problems(codes: readonly ErrorCode[]): RouteConfig["responses"] {
  const byStatus = new Map<number, Set<ErrorCode>>();
  for (const code of codes) {
    const { status } = ERROR_CODES[code];
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  return Object.fromEntries(
    [...byStatus].map(([status, set]) => [
      status,
      {
        description: [...set].map((code) => `\`${code}\`: ${ERROR_CODES[code].title}.`).join(" "),
        content: { "application/problem+json": { schema: problemSchema } },
      },
    ]),
  );
}

/** A JSON request body. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { "application/json": { schema } } } as const;
}

/** A JSON request body that may be left out. */
export function optionalJsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: false, content: { "application/json": { schema } } } as const;
}

/** A JSON answer. */
export function json<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { "application/json": { schema } } } as const;
}

/** A stream of server-sent events whose `data` lines have this shape. */
export function eventStream<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { "text/event-stream": { schema } } } as const;
}

type JsonContent<Schema> = { content: { "application/json": { schema: Schema } } };

/** What a handler gets, after validation. */
export interface RouteInput<Route extends RouteConfig> {
  params: Route extends { request: { params: z.ZodType<infer Params> } } ? Params : undefined;
  query: Route extends { request: { query: z.ZodType<infer Query> } } ? Query : undefined;
  body: Route extends { request: { body: JsonContent<z.ZodType<infer Body>> } } ? Body : undefined;
}

/** The JSON answers a handler may give: a status together with the body that belongs to it. */
export type RouteReply<Route extends RouteConfig> = {
  [Status in keyof Route["responses"]]: Route["responses"][Status] extends JsonContent<z.ZodType<infer Body>>
    ? { status: Status; body: Body }
    : Route["responses"][Status] extends { content: object }
      ? never
      : { status: Status };
}[keyof Route["responses"]];
