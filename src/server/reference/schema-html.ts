/** A JSON schema as HTML: a short type, and a table of fields where it has some. */
import { code, escapeHtml, prose } from "./html.ts";

/** What is read of a schema; the document has no other keywords that a reader would miss. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly default?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
}

/** The anchor of a schema that has a name. */
export function schemaAnchor(name: string): string {
  return `schema-${name}`;
}

/** In one line: `string`, `"a" | "b"`, `Session[]`. */
export function shortType(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf("/") + 1);
    return `<a href="#${schemaAnchor(name)}">${code(name)}</a>`;
  }
  if (schema.enum) return schema.enum.map((value) => code(JSON.stringify(value))).join(" | ");
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants) return [...new Set(variants.map(shortType))].join(" | ");
  if (schema.items) return `list of ${shortType(schema.items)}`;
  if (typeof schema.additionalProperties === "object" && !schema.properties)
    return `map of ${shortType(schema.additionalProperties)}`;
  return code([schema.type ?? "anything"].flat().join(" | "));
}

/** The fields of an object, or of each form it can have; empty for what is simple. */
export function fieldsOf(schema: Schema): string {
  const variants = schema.oneOf ?? schema.anyOf;
  if (variants)
    return variants
      .map(variantOf)
      .filter((variant) => variant !== "")
      .join("\n");
  if (schema.items) return fieldsOf(schema.items);
  if (!schema.properties) return "";
  const rows = Object.entries(schema.properties).map(([name, field]) => {
    const isOptional = !schema.required?.includes(name);
    return `<tr><td>${code(name)}${isOptional ? " <small>optional</small>" : ""}</td><td>${shortType(field)}</td><td>${describe(field)}${nested(field)}</td></tr>`;
  });
  return rows.length === 0 ? "" : `<table><tbody>${rows.join("\n")}</tbody></table>`;
}

/** What is said of a value: its description, its default and its bounds. */
export function describe(schema: Schema): string {
  const bounds = [
    schema.default !== undefined && `default ${JSON.stringify(schema.default)}`,
    schema.minimum !== undefined && `at least ${schema.minimum}`,
    schema.maximum !== undefined && schema.maximum < Number.MAX_SAFE_INTEGER && `at most ${schema.maximum}`,
    schema.maxLength !== undefined && `at most ${schema.maxLength} characters`,
    schema.maxItems !== undefined && `at most ${schema.maxItems}`,
  ].filter((bound) => bound !== false);
  const text = prose(schema.description);
  return bounds.length === 0 ? text : `${text} <small>${escapeHtml(bounds.join(", "))}</small>`;
}

function nested(field: Schema): string {
  const fields = fieldsOf(field);
  return fields === "" ? "" : `<details><summary>fields</summary>${fields}</details>`;
}

/** One form of several, under the value by which it is told from the others. */
function variantOf(schema: Schema): string {
  const fields = fieldsOf(schema);
  if (fields === "") return "";
  const kind = Object.values(schema.properties ?? {}).find((field) => field.enum?.length === 1)?.enum?.[0];
  const name = kind === undefined ? "one form" : code(JSON.stringify(kind));
  return `<details><summary>${name}</summary>${fields}</details>`;
}
