/** What an agent can say, as JSON Schema: one definition for each message, and those they are made of. */

/** As much of JSON Schema as agents' schemas use. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly items?: JsonSchema | boolean;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly [other: string]: unknown;
}

/** Whose messages they are, and how that is known. */
export interface SchemaLabel {
  readonly title: string;
  /** The version of the agent, or of the protocol, it is of. */
  readonly version: string;
  /** Where it is from, each with its version: a program, a package, recordings. */
  readonly sources: readonly string[];
}

export interface MessageSchema extends SchemaLabel {
  readonly $schema: "https://json-schema.org/draft/2020-12/schema";
  readonly anyOf: readonly JsonSchema[];
  readonly $defs: Readonly<Record<string, JsonSchema>>;
}

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Of all definitions those that the messages need. */
export function messageSchema(
  about: SchemaLabel,
  messages: readonly JsonSchema[],
  definitions: Readonly<Record<string, JsonSchema>>,
): MessageSchema {
  const anyOf = messages.map((message) => withLocalReferences(message));
  const $defs: Record<string, JsonSchema> = {};
  const wanted = anyOf.flatMap(referencesOf);
  for (let name = wanted.pop(); name !== undefined; name = wanted.pop()) {
    const definition = definitions[name];
    if (!definition || $defs[name]) continue;
    const local = withLocalReferences(definition);
    $defs[name] = local;
    wanted.push(...referencesOf(local));
  }
  const sorted = Object.entries($defs).sort(([one], [other]) => (one < other ? -1 : 1));
  return { $schema: DIALECT, ...about, anyOf, $defs: Object.fromEntries(sorted) };
}

const REFERENCE = /"\$ref":"#\/(?:components\/schemas|definitions|\$defs)\/([^"]+)"/g;

function withLocalReferences(schema: JsonSchema): JsonSchema {
  return JSON.parse(JSON.stringify(schema).replace(REFERENCE, '"$ref":"#/$defs/$1"'));
}

function referencesOf(schema: JsonSchema): string[] {
  return [...JSON.stringify(schema).matchAll(REFERENCE)].map(([, name]) => name!.replaceAll("~1", "/"));
}
