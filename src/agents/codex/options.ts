/** The settings only Codex understands: what a session may give in `options`. */
import { z } from "zod";

export const optionsSchema = z.strictObject({
  /** When Codex asks, in place of what the permission mode says. */
  approvalPolicy: z.enum(["untrusted", "on-request", "never"]).optional(),
  /** What commands may touch, in place of what the permission mode says. */
  sandbox: z.enum(["read-only", "workspace-write", "danger-full-access"]).optional(),
  /** How much the model thinks: `low`, `medium`, `high`; which ones there are depends on the model. */
  effort: z.string().min(1).optional(),
  /** The name of a provider in the user's Codex config. */
  modelProvider: z.string().min(1).optional(),
  /** Added to what Codex tells the model about its work. */
  developerInstructions: z.string().optional(),
  /** Keys of Codex's config.toml for this conversation alone: `{"tools.update_plan.enabled": true}`. */
  config: z.record(z.string(), z.unknown()).optional(),
});

export type CodexOptions = z.infer<typeof optionsSchema>;
