/** The settings a session may give the mock in `options`. */
import { z } from "zod";

export const optionsSchema = z.strictObject({
  /** How long its pauses are: 1 is human, 0 is none. */
  pace: z.number().min(0).max(100).optional(),
});

export type MockOptions = z.infer<typeof optionsSchema>;
