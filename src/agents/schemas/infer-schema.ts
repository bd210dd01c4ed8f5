/** A schema made of messages that were recorded, for agents that have none to give. */
import { type JsonSchema, type MessageSchema, messageSchema } from "./message-schema.ts";

type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };

/** `nameOf` tells messages apart; undefined for what is none. */
export function inferSchema(
  about: { readonly title: string; readonly version: string },
  messages: Iterable<unknown>,
  nameOf: (message: Readonly<Record<string, unknown>>) => string | undefined,
): MessageSchema {
  const definitions = new Map<string, JsonSchema>();
  for (const message of messages) {
    if (typeof message !== "object" || message === null || Array.isArray(message)) continue;
    const name = nameOf(message as Record<string, unknown>);
    if (name === undefined) continue;
    const known = definitions.get(name);
    const seen = schemaOf(message as Json);
    definitions.set(name, known ? merge(known, seen) : withNames(seen, message as Record<string, unknown>));
  }
  const sorted = [...definitions].sort(([one], [other]) => (one < other ? -1 : 1));
  const references = sorted.map(([name]) => ({ $ref: `#/$defs/${name.replaceAll("/", "~1")}` }));
  return messageSchema(about, references, Object.fromEntries(sorted));
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
    return { type: "array", ...(items.length > 0 && { items: items.reduce(merge) }) };
  }
  if (typeof value !== "object") return { type: typeof value };
  // A path is no name of a field: the object is a map of files.
  const fields = Object.entries(value).filter(([name]) => !name.startsWith("/"));
  const entries = fields.map(([name, item]) => [name, schemaOf(item)]);
  return { type: "object", properties: Object.fromEntries(entries) };
}

function merge(one: JsonSchema, other: JsonSchema): JsonSchema {
  if (one.const !== undefined && other.const === undefined) return one;
  const types = [...new Set([one.type, other.type].flat())].filter((type) => type !== undefined);
  const names = new Set([...Object.keys(one.properties ?? {}), ...Object.keys(other.properties ?? {})]);
  const properties = [...names].map((name): [string, JsonSchema] => {
    const [left, right] = [one.properties?.[name], other.properties?.[name]];
    return [name, left && right ? merge(left, right) : (left ?? right)!];
  });
  const [left, right] = [one.items, other.items].filter((items) => typeof items === "object");
  const items = left && right ? merge(left, right) : left;
  return {
    type: (types.length === 1 ? types[0] : types.sort()) as string,
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(items && { items }),
  };
}
