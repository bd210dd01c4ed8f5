/** Limits for objects whose content is the client's own. */
import type { z } from "@hono/zod-openapi";

const MAX_DEPTH = 32;

export interface RecordLimits {
  /** Characters of its JSON. */
  bytes: number;
  /** Keys and entries of lists, on all levels. */
  keys: number;
}

export function limited<Schema extends z.ZodType>(schema: Schema, limits: RecordLimits): Schema {
  return schema.superRefine((value, context) => {
    const message = problemOf(value, limits);
    if (message !== undefined) context.addIssue({ code: "custom", message });
  }) as unknown as Schema;
}

function problemOf(value: unknown, { bytes, keys }: RecordLimits): string | undefined {
  let left = keys;
  function walk(item: unknown, depth: number): string | undefined {
    if (typeof item !== "object" || item === null) return undefined;
    if (depth > MAX_DEPTH) return `may be nested at most ${MAX_DEPTH} levels deep`;
    const items = Object.values(item);
    left -= items.length;
    if (left < 0) return `may have at most ${keys} entries on all levels together`;
    for (const inner of items) {
      const problem = walk(inner, depth + 1);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }
  const problem = walk(value, 1);
  if (problem !== undefined) return problem;
  const isTooLarge = new TextEncoder().encode(JSON.stringify(value)).length > bytes;
  return isTooLarge ? `may be at most ${Math.round(bytes / 1024)} kB of JSON` : undefined;
}
