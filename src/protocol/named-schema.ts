/** Gives a schema its name in the OpenAPI document. */
import type { z } from "@hono/zod-openapi";
// Imported for its side effect: it adds `.openapi()` to schemas.
import "@hono/zod-openapi";

/** A copy, because a schema of the core was made before `.openapi()` existed and must not carry wire names. */
export function named<Schema extends z.ZodType>(name: string, schema: Schema): Schema {
  return schema.clone().openapi(name);
}
