/** A message that fits a schema: of everything the first that is allowed. */
import type { JsonSchema } from "../src/agents/schemas/message-schema.ts";

type Definitions = Readonly<Record<string, JsonSchema>>;

/** Schemas may name themselves. */
const MAX_DEPTH = 12;

export function sampleOf(
  schema: JsonSchema | boolean | undefined,
  definitions: Definitions,
  depth = 0,
): unknown {
  if (typeof schema !== "object" || depth > MAX_DEPTH) return {};
  const inner = (next: JsonSchema | undefined) => sampleOf(next, definitions, depth + 1);
  if (schema.$ref !== undefined)
    return inner(definitions[schema.$ref.replace("#/$defs/", "").replaceAll("~1", "/")]);
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const [variant] = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  const parts = [...(variant ? [variant] : []), ...(schema.allOf ?? [])].map(inner);
  const type = typeof schema.type === "string" ? schema.type : schema.type?.at(-1);
  if (schema.properties || type === "object") {
    const entries = Object.entries(schema.properties ?? {}).map(([name, field]) => [name, inner(field)]);
    return Object.assign({}, ...parts, Object.fromEntries(entries));
  }
  if (parts.length > 0) return parts.at(-1);
  return SAMPLES[type ?? ""] ?? {};
}

const SAMPLES: Readonly<Record<string, unknown>> = {
  array: [],
  boolean: false,
  integer: 1,
  null: null,
  number: 1,
  string: "x",
};
