/** Commands: what the engine tells an agent to do. Each is durable in the log before it is sent. */
import { z } from "zod";
import { askAnswerSchema, askEffectSchema } from "./ask.ts";
import { messageIdSchema } from "./identifier.ts";
import { promptPartSchema } from "./prompt-part.ts";
import { settingValuesSchema } from "./setting.ts";

export const commandSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("prompt"),
    message: messageIdSchema,
    parts: z.array(promptPartSchema),
    /** True when a turn is running and the prompt is to be folded into it. */
    steer: z.boolean().optional(),
  }),
  z.object({ type: z.literal("interrupt") }),
  z.object({
    type: z.literal("reply"),
    /** The agent's own id of the ask. */
    ask: z.string(),
    effect: askEffectSchema.optional(),
    ...askAnswerSchema.shape,
  }),
  z.object({
    type: z.literal("configure"),
    model: z.string().optional(),
    mode: z.string().optional(),
    permissionMode: z.string().optional(),
    settings: settingValuesSchema.optional(),
  }),
  /** End one task in the background, by the agent's own id of it. Not for the tasks of a turn's calls. */
  z.object({ type: z.literal("stopTask"), task: z.string() }),
  /** Forget the conversation from this user message on. */
  z.object({ type: z.literal("rewind"), before: messageIdSchema }),
]);

/** What an agent is told to do. */
export type Command = z.infer<typeof commandSchema>;
/** The command of one type. */
export type CommandOf<Type extends Command["type"]> = Extract<Command, { type: Type }>;
