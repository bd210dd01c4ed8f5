/**
 * Holds the plain types of the SDK to be those of the route table. Nothing runs here: `npm run check` fails where they
 * differ, and `npm run wire-types` writes them anew.
 */
import type { RouteConfig, z } from "@hono/zod-openapi";
import type { SessionEvent as CoreEvent } from "../../src/core/event.ts";
import type { RouteReply } from "../../src/protocol/define-route.ts";
import type { Routes } from "../../src/protocol/route-table.ts";
import type { RouteAnswer, RouteKey, RouteRequest } from "../../src/sdk/routes.ts";
import type { SessionEvent } from "../../src/sdk/types.ts";

/** As JSON has it: what may be anything may also be absent. */
type Json<Value> = Value extends readonly (infer Entry)[]
  ? Json<Entry>[]
  : Value extends object
    ? { [Key in keyof Value as unknown extends Value[Key] ? never : Key]: Json<Value[Key]> } & {
        [Key in keyof Value as unknown extends Value[Key] ? Key : never]?: Value[Key];
      }
    : Value;

type KeyOf<Route> = Route extends { method: infer Method extends string; path: infer Path extends string }
  ? `${Uppercase<Method>} ${Path}`
  : never;

type Table = { [Name in keyof Routes as KeyOf<Routes[Name]>]: Routes[Name] };

type AnswerOf<Route> = Route extends RouteConfig
  ? RouteReply<Route> extends infer Reply
    ? Reply extends { body: infer Body }
      ? Body
      : never
    : never
  : never;

type BodyOf<Route> = Route extends {
  request: { body: { content: { "application/json": { schema: infer Schema extends z.ZodType } } } };
}
  ? z.input<Schema>
  : never;

type Same<One, Other> = [One] extends [Other] ? ([Other] extends [One] ? true : false) : false;

/** The routes whose types differ. */
type Differing = {
  [Key in RouteKey & keyof Table]:
    | (Same<Json<AnswerOf<Table[Key]>>, Json<RouteAnswer<Key>>> extends true ? never : `answer of ${Key}`)
    | (Same<Json<BodyOf<Table[Key]>>, Json<NonNullable<RouteRequest<Key>["body"]>>> extends true
        ? never
        : `body of ${Key}`);
}[RouteKey & keyof Table];

type Missing = Exclude<keyof Table, RouteKey> | Exclude<RouteKey, keyof Table>;

export const differing: Record<Differing, never> = {};
export const missing: Record<Missing, never> = {};
export const events: Same<Json<CoreEvent>, Json<SessionEvent>> = true;
