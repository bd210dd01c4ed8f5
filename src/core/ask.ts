/** Asks: a permission, a question or a plan that waits for a person. */
import { z } from "zod";

export const askKindSchema = z.enum(["permission", "question", "plan"]);

export const askEffectSchema = z.enum(["once", "always", "reject", "reject-always", "other"]);

export const askOptionSchema = z.object({
  id: z.string(),
  label: z.string(),
  description: z.string().optional(),
  effect: askEffectSchema,
  /** Choosing it also stops the turn. */
  stops: z.boolean().optional(),
  /** What an "always" will cover, as the agent puts it: `echo *`. */
  covers: z.array(z.string()).optional(),
  /** Where the agent keeps an "always", when that is known (a file, "session", …). */
  storedIn: z.string().optional(),
});

export const askQuestionSchema = z.object({
  id: z.string(),
  text: z.string(),
  /** A short name of the question. */
  header: z.string().optional(),
  description: z.string().optional(),
  options: z
    .array(
      z.object({
        label: z.string(),
        description: z.string().optional(),
        /** The answer, if it is not the label. */
        value: z.string().optional(),
      }),
    )
    .optional(),
  multiple: z.boolean().optional(),
  /** Whether an answer outside the options is accepted. */
  free: z.boolean().optional(),
  type: z.enum(["text", "number", "integer", "boolean"]).optional(),
  required: z.boolean().optional(),
  /** The answer goes to the agent and never into the log. */
  secret: z.boolean().optional(),
  default: z.array(z.string()).optional(),
});

export const askAnswerSchema = z.object({
  option: z.string().optional(),
  answers: z.record(z.string(), z.array(z.string())).optional(),
  message: z.string().optional(),
  /** The tool input as the person changed it. */
  input: z.unknown().optional(),
});

export const askOutcomeSchema = z.enum(["answered", "cancelled", "expired"]);

/** The kind of an ask. */
export type AskKind = z.infer<typeof askKindSchema>;
/** What choosing an option does. */
export type AskEffect = z.infer<typeof askEffectSchema>;
/** One answer a person can choose. */
export type AskOption = z.infer<typeof askOptionSchema>;
/** One question of an ask, with its options. */
export type AskQuestion = z.infer<typeof askQuestionSchema>;
/** What a person answered. */
export type AskAnswer = z.infer<typeof askAnswerSchema>;
/** How an ask ended. */
export type AskOutcome = z.infer<typeof askOutcomeSchema>;

/** What the kinds of options mean that ACP names, as many agents do. */
export const EFFECT_OF_KIND: ReadonlyMap<unknown, AskEffect> = new Map([
  ["allow_once", "once"],
  ["allow_always", "always"],
  ["reject_once", "reject"],
  ["reject_always", "reject-always"],
]);

/** The option that declines an ask without an option for it: a question. */
export const DECLINE = "reject";

/** The option that declines an ask, if it offers one. */
export function rejectingOption(options: readonly AskOption[]): AskOption | undefined {
  return (
    options.find((option) => option.effect === "reject") ??
    options.find((option) => option.effect === "reject-always")
  );
}

/**
 * True for an effect that declines.
 *
 * @example
 * isRejection("reject-always"); // => true
 */
export function isRejection(effect: AskEffect | undefined): boolean {
  return effect === "reject" || effect === "reject-always";
}
