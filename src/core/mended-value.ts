/** What of a value of another type can be kept: the right entries of a list, the right fields of an object. Pure. */
import { z } from "zod";

/** Undefined where nothing can. A number is a text where an agent counts what others name, and a fraction is rounded. */
export function mendedValue(schema: z.ZodType, value: unknown): unknown {
  if (schema.safeParse(value).success) return value;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return mendedValue(schema.unwrap() as z.ZodType, value);
  if (typeof value === "number") return mendedNumber(schema, value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return mendedList(schema.element as z.ZodType, value);
  if (schema instanceof z.ZodObject && typeof value === "object" && value !== null && !Array.isArray(value))
    return mendedObject(schema, value);
  return undefined;
}

function mendedNumber(schema: z.ZodType, value: number): unknown {
  if (schema instanceof z.ZodString) return String(value);
  const rounded = Math.round(value);
  return schema.safeParse(rounded).success ? rounded : undefined;
}

/** A list that has lost all its entries is not the empty list that an agent might have sent. */
function mendedList(schema: z.ZodType, entries: readonly unknown[]): unknown[] | undefined {
  const kept = entries.map((entry) => mendedValue(schema, entry)).filter((entry) => entry !== undefined);
  return kept.length === 0 ? undefined : kept;
}

function mendedObject({ shape }: z.ZodObject, value: object): object | undefined {
  const copy: Record<string, unknown> = { ...value };
  for (const [name, schema] of Object.entries(shape as Record<string, z.ZodType>)) {
    const field = mendedValue(schema, copy[name]);
    if (field !== undefined) copy[name] = field;
    else if (schema.safeParse(undefined).success) delete copy[name];
    else return undefined;
  }
  return copy;
}
