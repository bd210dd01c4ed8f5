/** Where a session that is a copy of another begins. */
import { z } from "zod";

/** Which session it is a copy of, and the first message it does not have. */
export const forkedFromSchema = z.object({ session: z.string(), message: z.string().optional() });

export type ForkedFrom = z.infer<typeof forkedFromSchema>;

/** A place in an agent's own conversation, by the agent's ids. */
export const nativePlaceSchema = z.object({
  agentSessionId: z.string(),
  /** Where the last kept turn ended. */
  after: z.string().optional(),
  /** The first prompt that is left out, if there is one. */
  before: z.string().optional(),
  /** The session whose agent had that conversation: another one, or the same. */
  session: z.string(),
  /** Our id of the last kept message. */
  message: z.string(),
  /** The newest event of that session's log by then. */
  seq: z.number().int(),
});

export type NativePlace = z.infer<typeof nativePlaceSchema>;
