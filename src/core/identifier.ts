/** The shapes of the ids that clients may choose themselves. */
import { z } from "zod";

/** Session ids travel in paths, file names and logs, so they keep to a safe alphabet. */
export const sessionIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9._-]{1,128}$/, "use 1 to 128 letters, digits, dots, underscores or hyphens")
  .refine((id) => id !== "." && id !== "..", "must not be . or ..");

export const messageIdSchema = z
  .string()
  .regex(/^[A-Za-z0-9._:-]{1,128}$/, "use 1 to 128 letters, digits, dots, colons, underscores or hyphens");
