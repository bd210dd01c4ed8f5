/** Parts of events about checkpoints and restores. */
import { z } from "zod";

/** When a checkpoint was taken: with the session, around a turn, before a restore, or when changes were approved. */
export const checkpointKindSchema = z.enum(["created", "before", "after", "restore", "approved"]);

export type CheckpointKind = z.infer<typeof checkpointKindSchema>;

export const uncoveredFileSchema = z.object({
  path: z.string(),
  reason: z.enum(["too-large", "unreadable", "special"]),
});

const fileVersionSchema = z.object({ mode: z.string(), id: z.string() });

export const plannedChangeSchema = z.object({
  path: z.string(),
  from: fileVersionSchema.optional(),
  to: fileVersionSchema.optional(),
});
