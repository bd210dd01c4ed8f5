/** A message of the conversation as `/v1` returns it. to-message.ts makes it from events. */
import { z } from "zod";
import { askAnswerSchema, askEffectSchema, askOutcomeSchema } from "./ask.ts";
import {
  askContent,
  attachedFile,
  call,
  callDetails,
  citedSource,
  errorShape,
  fileChange,
  noticeContent,
  origin,
  resultDetails,
  textPurpose,
  truncatedFrom,
} from "./event-fields.ts";
import { context } from "./prompt-part.ts";
import { tokenUsageSchema } from "./usage.ts";

/** A part of a sub-agent has its call as `parent`, one of background work has its `task`. */
function part<Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape, ...origin });
}

/** Everything a message can hold. */
export const contentPartSchema = z.discriminatedUnion("type", [
  part("text", { text: z.string(), purpose: textPurpose }),
  part("reasoning", { text: z.string() }),
  part("file", attachedFile),
  part("context", context),
  part("source", citedSource),
  part("tool_call", {
    ...call,
    name: z.string(),
    ...callDetails,
    /** What is run. Absent until it is complete. */
    input: z.unknown().optional(),
    /** Who changed the input before it was allowed, and what the agent had proposed. */
    edited: z.object({ by: z.string(), proposed: z.unknown().optional() }).optional(),
  }),
  part("tool_result", {
    ...call,
    state: z.enum(["done", "failed", "denied", "abandoned"]),
    output: z.unknown().optional(),
    /** Why it failed, was denied or abandoned. */
    error: z.string().optional(),
    truncatedFrom,
    ...resultDetails,
  }),
  part("ask", {
    ask: z.string(),
    ...askContent,
    state: z.enum(["open", "answered", "closed"]),
    answer: z
      .object({ ...askAnswerSchema.shape, effect: askEffectSchema.optional(), by: z.string() })
      .optional(),
    outcome: askOutcomeSchema.optional(),
    /** Whether the agent has been told. */
    delivered: z.boolean().optional(),
  }),
  part("file_edit", { ...fileChange, call: z.string().optional() }),
  part("notice", noticeContent),
]);

export const messageSchema = z.object({
  id: z.string(),
  session: z.string(),
  /** The message it answers. */
  parent: z.string().optional(),
  role: z.enum(["user", "assistant", "system"]),
  /** A `prompt`, the `response` to one, or a `trigger`: why the agent began by itself. */
  type: z.enum(["prompt", "response", "trigger"]),
  content: z.array(contentPartSchema),
  metadata: z.object({
    /** Agent and model of that time. */
    agent: z.string(),
    model: z.string().optional(),
    turn: z.string().optional(),
    outcome: z.string().optional(),
    error: errorShape.optional(),
    usage: tokenUsageSchema.optional(),
    cost: z.number().optional(),
    durationMs: z.number().optional(),
    /** Of that time: how long an answer of a person was awaited. */
    waitedMs: z.number().optional(),
    /** Of a prompt: who sent it, by name. */
    by: z.string().optional(),
    /** Of a prompt: the files as they were before the agent got it. */
    checkpoint: z.string().optional(),
  }),
  /** Milliseconds since the epoch. */
  createdAt: z.number(),
  updatedAt: z.number(),
  firstSeq: z.number().int(),
  lastSeq: z.number().int(),
});

export type ContentPart = z.infer<typeof contentPartSchema>;
export type Message = z.infer<typeof messageSchema>;
