/** The outline of a schema: which messages there are, and which fields each has. For comparing two versions. */
import type { JsonSchema, MessageSchema } from "./message-schema.ts";

/** Fields by message, each with its path: `message.usage.input_tokens`. */
type Outline = ReadonlyMap<string, ReadonlySet<string>>;

/** Deep enough for what translators read. */
const MAX_DEPTH = 6;

/** The fields that tell messages apart. */
const NAMES = ["type", "method", "subtype"];

export function outlineOf({ anyOf, $defs }: MessageSchema): Outline {
  const outline = new Map<string, Set<string>>();
  const resolve = (schema: JsonSchema): JsonSchema =>
    schema.$ref === undefined ? schema : resolve($defs[nameOf(schema.$ref)] ?? {});

  function walk(schema: JsonSchema, path: string, fields: Set<string>, depth: number): void {
    if (depth > MAX_DEPTH) return;
    const { properties = {}, items, anyOf: any = [], oneOf = [], allOf = [] } = resolve(schema);
    for (const variant of [...any, ...oneOf, ...allOf]) walk(variant, path, fields, depth + 1);
    if (typeof items === "object") walk(items, path, fields, depth);
    for (const [name, property] of Object.entries(properties)) {
      const place = path === "" ? name : `${path}.${name}`;
      fields.add(place);
      walk(property, place, fields, depth + 1);
    }
  }

  for (const message of anyOf) {
    const resolved = resolve(message);
    const name = messageName(resolved);
    const fields = outline.get(name) ?? new Set<string>();
    walk(resolved, "", fields, 0);
    outline.set(name, fields);
  }
  return outline;
}

function messageName({ properties = {}, title }: JsonSchema): string {
  const names = NAMES.flatMap((field) => {
    const { const: constant, enum: values } = properties[field] ?? {};
    const value = constant ?? values?.[0];
    return typeof value === "string" ? [value] : [];
  });
  return names.join("/") || String(title ?? "message");
}

function nameOf(reference: string): string {
  return reference.replace("#/$defs/", "").replaceAll("~1", "/");
}

interface Drift {
  readonly messages: readonly string[];
  /** Of messages that were known: `properties.part.colour` in `message.part.updated`. */
  readonly fields: readonly NewField[];
}

export interface NewField {
  readonly message: string;
  readonly path: string;
}

/** What is in `found` and not in `known`. What is inside of a new field is not told by itself. */
export function newIn(found: Outline, known: Outline): Drift {
  const messages = [...found.keys()].filter((name) => !known.has(name));
  const fields = [...found].flatMap(([message, paths]) => {
    const old = known.get(message);
    if (!old) return [];
    const isKnown = (path: string) => path === "" || old.has(path);
    const fresh = [...paths].filter((path) => !isKnown(path) && isKnown(parentOf(path)));
    return fresh.map((path) => ({ message, path }));
  });
  return { messages, fields };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf(".")));
}
