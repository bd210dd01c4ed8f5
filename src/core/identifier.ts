/** The shapes of the ids that clients may choose themselves. */
import { z } from "zod";

/**
 * The id of a session. It travels in paths, file names and logs, so it keeps to a safe alphabet.
 *
 * @example
 * sessionIdSchema.safeParse("../etc").success; // => false
 */
export const sessionIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,128}$/, "use 1 to 128 letters, digits, dots, underscores or hyphens")
  .refine((id) => id !== "." && id !== "..", "must not be . or ..");

/**
 * The id of a message.
 *
 * @example
 * messageIdSchema.safeParse("msg:1").success; // => true
 */
export const messageIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, "use 1 to 128 letters, digits, dots, colons, underscores or hyphens");
