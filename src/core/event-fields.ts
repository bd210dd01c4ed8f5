/** The fields that several events share, and how an event is made of them. The events themselves are in event.ts. */
import { z } from "zod";
import { askKindSchema, askOptionSchema, askQuestionSchema } from "./ask.ts";
import { namedChoiceSchema, settingSchema, settingValueSchema, settingValuesSchema } from "./setting.ts";

const envelope = {
  session: z.string(),
  /** Position in the session's log: 1, 2, 3… without gaps. */
  seq: z.number().int().positive(),
  /** Milliseconds since the epoch. */
  /** Negative if the clock is set before 1970. */
  at: z.number().int(),
  turn: z.string().optional(),
  /** The message this belongs to: a user message in `prompt.*`, else an assistant or system message. */
  message: z.string().optional(),
  /** The raw record it was made from. */
  raw: z.number().int().positive().optional(),
};

/** Who gave the command that this event records, by name. Absent in older logs, and where nobody did. */
export const actor = { by: z.string().optional() };

/** Content made by a sub-agent names the call that started it; content outside a turn names its task. */
export const origin = { parent: z.string().optional(), task: z.string().optional() };

/** The agent's own id beside ours; unique only within one generation of its process. */
export const native = { native: z.string().optional() };

export const withMessage = { message: z.string() };
export const withTurn = { turn: z.string() };

/** The agent that speaks. Older logs lack it. */
export const withAgent = { agent: z.string().optional() };

export function event<Type extends string, Shape extends z.core.$ZodLooseShape>(type: Type, shape: Shape) {
  type Whole = Omit<typeof envelope, keyof Shape> & { type: z.ZodLiteral<Type> } & Shape;
  return z.object({ ...envelope, type: z.literal(type), ...shape } as unknown as Whole);
}

/** What an agent reports about itself when a session opens and whenever it changes. */
export const agentState = {
  model: z.string().optional(),
  models: z.array(namedChoiceSchema).optional(),
  mode: z.string().optional(),
  modes: z.array(namedChoiceSchema).optional(),
  permissionMode: z.string().optional(),
  commands: z
    .array(z.object({ name: z.string(), description: z.string().optional(), hint: z.string().optional() }))
    .optional(),
  tools: z.array(z.string()).optional(),
  settings: z.array(settingSchema).optional(),
};

/** What a client may change while an agent runs. */
export const requestedSettings = z.object({
  model: z.string().optional(),
  mode: z.string().optional(),
  permissionMode: z.string().optional(),
  /** `null` for one that is left to the agent again. */
  settings: z.record(z.string(), settingValueSchema.nullable()).optional(),
});

/** All settings a client chose for the session, by id. Each agent process gets them before a prompt. */
export const chosen = { chosen: settingValuesSchema.optional() };

export const fileChange = {
  path: z.string(),
  kind: z.enum(["created", "changed", "deleted", "moved"]),
  diff: z.string().optional(),
  /** Where a moved file was. */
  from: z.string().optional(),
};

export const locations = z
  .array(z.object({ path: z.string(), line: z.number().int().optional() }))
  .optional();

export const errorShape = z.object({ code: z.string(), message: z.string() });

export const part = { part: z.string() };
export const call = { call: z.string() };

export const textPurpose = z.enum(["commentary", "answer", "plan"]).optional();

export const callDetails = { title: z.string().optional(), kind: z.string().optional(), locations };

export const resultDetails = {
  exitCode: z.number().int().nullable().optional(),
  metadata: z.unknown().optional(),
};

/** The whole size in characters, when the output was cut; the raw record keeps all of it. */
export const truncatedFrom = z.number().int().positive().optional();

export const attachedFile = { url: z.string(), mediaType: z.string(), filename: z.string().optional() };

export const citedSource = {
  id: z.string(),
  url: z.string().optional(),
  title: z.string().optional(),
  mediaType: z.string().optional(),
  filename: z.string().optional(),
};

export const noticeContent = {
  level: z.enum(["info", "warning", "error"]),
  /** What kind of notice: retry, rate-limit, quiet, agent, … */
  code: z.string(),
  text: z.string(),
};

/** What a person is shown when asked. */
export const askContent = {
  kind: askKindSchema,
  call: z.string().optional(),
  title: z.string(),
  description: z.string().optional(),
  options: z.array(askOptionSchema),
  questions: z.array(askQuestionSchema).optional(),
  /** A person may change the input of the call before it is allowed: the agent runs what the answer has as `input`. */
  editable: z.literal(true).optional(),
  /** What will happen to files if it is allowed. */
  changes: z.array(z.object(fileChange)).optional(),
  /** What else the agent sent to be shown. */
  detail: z.unknown().optional(),
  url: z.string().optional(),
};
