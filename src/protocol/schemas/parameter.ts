/** Query and path parameters that several routes share. */
import { z } from "@hono/zod-openapi";
import { MAX_EXACT_LENGTH } from "../../core/draft-limits.ts";
import { messageIdSchema, sessionIdSchema } from "../../core/identifier.ts";
import { limited } from "../limited-record.ts";

/**
 * Digits only: anything else that JavaScript accepts as a number (`0x1`, `1e1`, an empty string) is a client's mistake.
 */
const wholeNumber = z
  .string()
  .regex(/^\d{1,15}$/, "must be a whole number, not negative")
  .transform(Number);

/** The id of something an agent offers, with the same limit as where it is shown. */
export const agentWord = z.string().min(1).max(MAX_EXACT_LENGTH);

export const settingValue = z.union([z.string().max(MAX_EXACT_LENGTH), z.boolean()]);

/** Settings of an agent by id. */
export function settingValues<Value extends z.ZodType>(value: Value) {
  return limited(z.record(agentWord, value), { bytes: 64 * 1024, keys: 100 });
}

/** A position in a log. */
export const seqCursor = wholeNumber.openapi({ type: "integer", minimum: 0 });

export function pageLimit(usual: number, most: number) {
  return wholeNumber
    .pipe(z.number().min(1, "must be at least 1").max(most, `must be at most ${most}`))
    .default(usual)
    .openapi({ type: "integer", minimum: 1, maximum: most, default: usual });
}

/** The cursor of a list. */
export const listCursor = z.string().min(1).max(512).describe("From the page before");

export const sessionParams = z.object({ id: sessionIdSchema });

export const messageParams = z.object({ id: sessionIdSchema, message: messageIdSchema });

export const askParams = z.object({ id: sessionIdSchema, ask: z.string().min(1).max(128) });

export const taskParams = z.object({ id: sessionIdSchema, task: z.string().min(1).max(128) });

/** Comma-separated names. */
export function nameList<const Name extends string>(
  names: readonly Name[],
  usual: readonly Name[],
  description: string,
) {
  return z
    .string()
    .optional()
    .transform((text, context): Name[] => {
      if (!text) return [...usual];
      const known = text.split(",").filter((name): name is Name => names.some((other) => other === name));
      if (known.length < text.split(",").length)
        context.addIssue({ code: "custom", message: `may only list ${names.join(", ")}` });
      return known;
    })
    .openapi({ type: "string", description });
}
