/** Asks and their answers on the wire. */
import { z } from "@hono/zod-openapi";
import {
  askAnswerSchema,
  askEffectSchema,
  askKindSchema,
  askOptionSchema,
  askQuestionSchema,
} from "../../core/ask.ts";
import { MAX_EXACT_LENGTH } from "../../core/draft-limits.ts";
import { askContent } from "../../core/event-fields.ts";
import { sessionIdSchema } from "../../core/identifier.ts";
import { limited } from "../limited-record.ts";
import { named } from "../named-schema.ts";
import { listCursor } from "./parameter.ts";
import { questionAnswersSchema } from "./question-answers.ts";

export const askViewSchema = named(
  "Ask",
  z.looseObject({
    session: z.string(),
    ask: z.string(),
    kind: askKindSchema,
    state: z
      .enum(["open", "answered", "closed"])
      .describe("`answered` until the answer has reached the agent"),
    title: z.string(),
    description: z.string().optional(),
    call: z.string().optional().describe("The tool call it is about"),
    options: z.array(askOptionSchema),
    questions: z.array(askQuestionSchema).optional(),
    editable: askContent.editable.describe("An answer may have an `input` that is run instead of the call's"),
    expiresAt: z.number().int().optional(),
    at: z.number().int(),
    seq: z.number().int().describe("Of the `ask.opened` event, whose other fields are here too"),
    updatedSeq: z.number().int().optional().describe("Of the last `ask.updated` event, which is in here too"),
    turn: z.string().optional(),
    message: z.string().optional(),
    answer: z
      .object({
        ...askAnswerSchema.shape,
        effect: askEffectSchema.optional(),
        by: z.string(),
        at: z.number().int(),
      })
      .optional(),
    outcome: z.string().optional(),
  }),
);

export const askListQuerySchema = z.object({
  session: sessionIdSchema.optional(),
  cursor: listCursor.optional(),
});

export const askListSchema = named(
  "AskList",
  z.object({
    asks: z.array(askViewSchema),
    hasMore: z.boolean().describe("Whether there are more than one answer holds"),
    cursor: z.string().optional().describe("Leads to them"),
  }),
);

const reply = z.enum(["once", "always", "reject"]).describe("The first option with this effect");
const option = z.string().max(MAX_EXACT_LENGTH).describe("The id of an option the ask offers");
const message = z.string().max(100_000).describe("A word to the agent along with the answer");
const input = limited(z.record(z.string(), z.unknown()), { bytes: 1024 * 1024, keys: 10_000 }).describe(
  "The whole tool input as the person changed it, for an ask that is `editable`",
);
const answers = limited(questionAnswersSchema, {
  bytes: 1024 * 1024,
  keys: 1000,
}).describe("For each question the chosen or written answers");

export const permissionReplySchema = named(
  "PermissionReply",
  z
    .strictObject({
      reply: reply.optional(),
      option: option.optional(),
      message: message.optional(),
      input: input.optional(),
    })
    .refine((given) => (given.reply === undefined) !== (given.option === undefined), {
      error: "give either reply or option",
      path: ["reply"],
    }),
);

const wayToAnswer = { reply: reply.optional(), option: option.optional(), answers: answers.optional() };

function answersOnce(given: { reply?: unknown; option?: unknown; answers?: unknown }): boolean {
  return [given.reply, given.option, given.answers].filter((way) => way !== undefined).length === 1;
}

const ONE_ANSWER = { error: "give one of reply, option and answers", path: ["reply"] };

export const questionReplySchema = named(
  "QuestionReply",
  z.strictObject({ ...wayToAnswer, message: message.optional() }).refine(answersOnce, ONE_ANSWER),
);

export const questionRejectSchema = named("QuestionReject", z.strictObject({ message: message.optional() }));

/** The answer to an ask of any kind. */
export const askReplySchema = named(
  "AskReply",
  z
    .strictObject({ ...wayToAnswer, message: message.optional(), input: input.optional() })
    .refine(answersOnce, ONE_ANSWER),
);
