/** The settings a session may give OpenCode in `options`. */
import { z } from "zod";

export const optionsSchema = z.strictObject({
  /** How hard the model thinks, in the model's own words: low, high, max, … */
  variant: z.string().min(1).optional(),
});

export type OpenCodeOptions = z.infer<typeof optionsSchema>;
