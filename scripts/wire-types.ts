/**
 * An OpenAPI document as plain types: what each route takes and answers, and every named schema. It reads the keywords that
 * our own document uses, and throws on a schema that it cannot read.
 */

/** As much of a JSON schema as has a meaning for types. */
interface Schema {
  readonly $ref?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | false;
}

interface Body {
  readonly required?: boolean;
  readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
}

interface Operation {
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

interface Field {
  readonly name: string;
  readonly type: string;
  readonly isOptional?: boolean;
  readonly description?: string;
}

/** TypeScript's name for each simple type of JSON schemas. */
const NAMES: Readonly<Record<string, string>> = {
  string: "string",
  integer: "number",
  number: "number",
  boolean: "boolean",
  null: "null",
};

export function wireTypes({ paths, components }: Document): string {
  const routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      type: objectType(routeFields(operation)),
    })),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) => ({
    name,
    type: typeOf(schema),
    description: schema.description,
  }));
  return `/** What crosses the wire of \`/v1\`. Written by \`npm run wire-types\` from the OpenAPI document. */

export interface Routes {
${linesOf(routes)}
}

export interface Schemas {
${linesOf(schemas)}
}
`;
}

function routeFields({ parameters = [], requestBody, responses }: Operation): Field[] {
  const parametersIn = (part: string) =>
    parameters
      .filter((parameter) => parameter.in === part)
      .map(({ name, required, schema }) => fieldOf(name, schema, required));
  const params = parametersIn("path");
  const query = parametersIn("query");
  const body = jsonOf(requestBody);
  // Refusals are the same everywhere: the SDK has one error for them.
  const answers = Object.entries(responses).flatMap(([status, response]) =>
    Number(status) < 400 ? (jsonOf(response) ?? []) : [],
  );
  return [
    ...(params.length > 0 ? [{ name: "params", type: objectType(params) }] : []),
    ...(query.length > 0 ? [{ name: "query", type: objectType(query) }] : []),
    ...(body ? [{ name: "body", type: typeOf(body), isOptional: !requestBody!.required }] : []),
    ...(answers.length > 0 ? [{ name: "answer", type: unionOf(answers) }] : []),
  ];
}

function jsonOf(body?: Body): Schema | undefined {
  return body?.content?.["application/json"]?.schema;
}

function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return `Schemas["${schema.$ref.split("/").at(-1)}"]`;
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(" | ");
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return unionOf(variants);
  if (schema.type === undefined) {
    const unread = Object.keys(schema).filter((keyword) => keyword !== "description");
    if (unread.length > 0)
      throw new Error(`A schema has only ${unread.join(", ")}: add it to scripts/wire-types.ts`);
    return "unknown";
  }
  return [schema.type]
    .flat()
    .map((name) => typeNamed(name, schema))
    .join(" | ");
}

function typeNamed(name: string, { items = {}, properties, required, additionalProperties }: Schema): string {
  if (name === "array") return `(${typeOf(items)})[]`;
  if (name !== "object") {
    if (NAMES[name] === undefined)
      throw new Error(`A schema has the type ${name}: add it to scripts/wire-types.ts`);
    return NAMES[name];
  }
  const others = additionalProperties && `{ [key: string]: ${typeOf(additionalProperties)} }`;
  const fields = Object.entries(properties ?? {}).map(([field, schema]) =>
    fieldOf(field, schema, required?.includes(field)),
  );
  if (fields.length === 0) return others || "Record<string, never>";
  return others ? `${objectType(fields)} & ${others}` : objectType(fields);
}

function unionOf(variants: readonly Schema[]): string {
  return [...new Set(variants.map(typeOf))].join(" | ");
}

function fieldOf(name: string, schema: Schema, isRequired = false): Field {
  return { name, type: typeOf(schema), isOptional: !isRequired, description: schema.description };
}

/** On one line where no field has a comment, so that the formatter breaks only what is too long for a line. */
function objectType(fields: readonly Field[]): string {
  if (fields.length === 0) return "object";
  const isPlain = fields.every(({ type, description }) => description === undefined && !type.includes("\n"));
  const members = linesOf(fields);
  return isPlain ? `{ ${members.replaceAll("\n", " ")} }` : `{\n${members}\n}`;
}

function linesOf(fields: readonly Field[]): string {
  return fields
    .map(({ name, type, isOptional, description }) => {
      const comment = description === undefined ? "" : `/** ${description.replaceAll("*/", "*\\/")} */\n`;
      const key = /^\w+$/.test(name) ? name : JSON.stringify(name);
      return `${comment}${key}${isOptional ? "?" : ""}: ${type};`;
    })
    .join("\n");
}
