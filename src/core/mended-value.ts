/** Keeps what fits of a value with the wrong type: valid entries of a list, valid fields of an object. Pure. */
import { z } from "zod";
import { isRecord } from "./is-record.ts";

/** Undefined if nothing can be kept. A number becomes text where text is expected, and a fraction is rounded. */
export function mendedValue(schema: z.ZodType, value: unknown): unknown {
  if (schema.safeParse(value).success) return value;
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return mendedValue(schema.unwrap() as z.ZodType, value);
  if (typeof value === "number") return mendedNumber(schema, value);
  if (schema instanceof z.ZodArray && Array.isArray(value))
    return mendedList(schema.element as z.ZodType, value);
  if (schema instanceof z.ZodObject && isRecord(value)) return mendedObject(schema, value);
  return undefined;
}

function mendedNumber(schema: z.ZodType, value: number): unknown {
  if (schema instanceof z.ZodString) return String(value);
  const rounded = Math.round(value);
  return schema.safeParse(rounded).success ? rounded : undefined;
}

/** A list that lost all its entries is not the same as an empty list. */
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
