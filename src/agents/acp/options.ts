/** The settings a session may give an ACP agent in `options`. */
import { z } from "zod";
import { settingValuesSchema } from "../../core/setting.ts";

export const optionsSchema = z.strictObject({
  /** Let the agent read and write files through us, inside the session's directory. */
  files: z.boolean().optional(),
  /** Let the agent run its commands through us. */
  terminals: z.boolean().optional(),
  /** Which of its ways to sign in the agent is to use where it asks for one. */
  authMethod: z.string().min(1).optional(),
  /** Settings of the agent's own by their ids, as it lists them. */
  settings: settingValuesSchema.optional(),
});

export type AcpOptions = z.infer<typeof optionsSchema>;
