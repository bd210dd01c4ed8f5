/** The settings a session may give the model agent in `options`. */
import { z } from "zod";

export const optionsSchema = z.strictObject({
  /** How many times a turn may ask the model. */
  maxSteps: z.int().min(1).max(1000).optional(),
  /** Summarise the conversation once it has this many tokens; 70 % of what fits into the model when absent. */
  compactAt: z.int().positive().optional(),
  /** How many messages a summary leaves as they are. */
  keepMessages: z.int().min(0).max(1000).optional(),
  /** How often a request is repeated after a passing failure. */
  maxRetries: z.int().min(0).max(20).optional(),
  /** What the model is told besides the agent's own instructions. */
  instructions: z.string().max(100_000).optional(),
});

export type ModelOptions = z.infer<typeof optionsSchema>;
