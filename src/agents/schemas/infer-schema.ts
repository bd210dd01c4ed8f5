/** A schema made of messages that were recorded, for agents that have none to give, and of what else is known of them. */
import { isRecord } from "../../core/is-record.ts";
import { type JsonSchema, type MessageSchema, messageSchema, type SchemaLabel } from "./message-schema.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/**
 * `nameOf` tells messages apart; undefined for what is none. `known` are messages that are said to exist: where a
 * recording has another kind of value, both stand in the schema.
 */
export function inferSchema(
  about: SchemaLabel,
  messages: Iterable<unknown>,
  nameOf: (message: Readonly<Record<string, unknown>>) => string | undefined,
  known: readonly JsonSchema[] = [],
): MessageSchema {
  const definitions = new Map<string, JsonSchema>();
  for (const schema of known) {
    const name = nameOf(namesIn(schema));
    if (name === undefined) continue;
    const other = definitions.get(name);
    definitions.set(name, other ? mergeSchemas(other, schema) : schema);
  }
  for (const message of messages) {
    if (!isRecord(message)) continue;
    const name = nameOf(message);
    if (name === undefined) continue;
    const former = definitions.get(name);
    const seen = schemaOf(message as Json);
    definitions.set(
      name,
      former ? mergeSchemas(former, seen) : withNames(seen, message as Record<string, unknown>),
    );
  }
  const sorted = [...definitions].sort(([one], [other]) => (one < other ? -1 : 1));
  const references = sorted.map(([name]) => ({ $ref: `#/$defs/${name.replaceAll("/", "~1")}` }));
  return messageSchema(about, references, Object.fromEntries(sorted));
}

/** The words by which a schema names its messages. */
function namesIn({ properties = {} }: JsonSchema): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, { const: word }]) => [name, word]));
}

/** The words that name a message belong to it. */
function withNames(schema: JsonSchema, message: Readonly<Record<string, unknown>>): JsonSchema {
  const named = ["type", "subtype", "method"].filter((field) => typeof message[field] === "string");
  const constants = Object.fromEntries(named.map((field) => [field, { const: message[field] }]));
  return { ...schema, properties: { ...schema.properties, ...constants } };
}

function schemaOf(value: Json): JsonSchema {
  if (value === null) return { type: "null" };
  if (Array.isArray(value)) {
    const items = value.map(schemaOf);
    return { type: "array", ...(items.length > 0 && { items: items.reduce(mergeSchemas) }) };
  }
  if (typeof value !== "object") return { type: typeof value };
  // A path is no name of a field: the object is a map of files.
  const fields = Object.entries(value).filter(([name]) => !name.startsWith("/"));
  const entries = fields.map(([name, item]) => [name, schemaOf(item)]);
  return { type: "object", properties: Object.fromEntries(entries) };
}

/** What either allows. */
export function mergeSchemas(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (one.const !== undefined && (other.const === undefined || other.const === one.const)) return one;
  // One of them allows anything.
  if (one.type === undefined || other.type === undefined) return {};
  const types = [...new Set([one.type, other.type].flat())].filter((type) => type !== undefined);
  const names = new Set([...Object.keys(one.properties ?? {}), ...Object.keys(other.properties ?? {})]);
  const properties = [...names].map((name): [string, JsonSchema] => {
    const [left, right] = [one.properties?.[name], other.properties?.[name]];
    return [name, left && right ? mergeSchemas(left, right) : (left ?? right)!];
  });
  const [left, right] = [one.items, other.items].filter((items) => typeof items === "object");
  const items = left && right ? mergeSchemas(left, right) : left;
  return {
    type: (types.length === 1 ? types[0] : types.sort()) as string,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(items && { items }),
  };
}
