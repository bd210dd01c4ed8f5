/** Reads values an agent may have shaped otherwise than the schema says. What is not as expected counts as absent. */

export type JsonObject = Readonly<Record<string, unknown>>;

const NOTHING: JsonObject = {};

export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The object, or one without fields. */
export function objectOf(value: unknown): JsonObject {
  return isObject(value) ? value : NOTHING;
}

export function objectsOf(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

/** A string that says something. */
export function textOf(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

export function countOf(value: unknown): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? Math.round(value) : undefined;
}

/** Neither absent nor an object or list without content. */
export function saysSomething(value: unknown): boolean {
  if (value === undefined || value === null || value === "") return false;
  return typeof value !== "object" || Object.keys(value).length > 0;
}

/** Leaves out what is undefined, so that drafts have only the fields that say something. */
export function defined<Fields extends object>(fields: Fields): Fields {
  // Copied, since an object that had a field deleted is slow ever after.
  const kept = {} as Fields;
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept;
}
