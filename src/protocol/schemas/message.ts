/** Prompts and messages on the wire. */
import { z } from "@hono/zod-openapi";
import { messageIdSchema } from "../../core/identifier.ts";
import {
  contentPartSchema as coreContentPartSchema,
  messageSchema as coreMessageSchema,
} from "../../core/message.ts";
import { settingValuesSchema } from "../../core/setting.ts";
import { named, namedUnion } from "../named-schema.ts";
import { eventSchema, rawRecordSchema } from "./event.ts";
import { listCursor, nameList, pageLimit, settingValue, settingValues } from "./parameter.ts";
import { promptPartSchema } from "./prompt-part.ts";
import { queueHeldSchema } from "./session.ts";

/** A person attaches a few files. */
const MAX_PARTS = 1000;

const whenBusySchema = z.enum(["queue", "steer", "reject"]);

/** What a prompt says: its text, or its parts when there are files. */
const saying = {
  text: z.string().min(1).optional().describe("Short for one text part"),
  parts: z.array(promptPartSchema).min(1).max(MAX_PARTS, `may have at most ${MAX_PARTS} entries`).optional(),
};

function saysOneThing(prompt: { text?: string; parts?: unknown[] }): boolean {
  return (prompt.text === undefined) !== (prompt.parts === undefined);
}

const ONE_OF = { error: "give either text or parts", path: ["text"] };

export const sendPromptSchema = named(
  "SendPrompt",
  z
    .strictObject({
      id: messageIdSchema.optional().describe("Chosen by the client, a repeated request does nothing more"),
      ...saying,
      whenBusy: whenBusySchema
        .default("queue")
        .describe("While a turn runs: wait for it, join it where the agent can, or answer 409"),
      settings: settingValues(settingValue)
        .optional()
        .describe("Settings of the agent by id, for the turn of this prompt alone"),
    })
    .refine(saysOneThing, ONE_OF),
);

export const changePromptSchema = named(
  "ChangePrompt",
  z
    .strictObject({
      ...saying,
      before: messageIdSchema
        .nullable()
        .optional()
        .describe("The waiting prompt it is put before; `null` puts it behind all"),
    })
    .refine(
      ({ text, parts, before }) => [text, parts, before].filter((field) => field !== undefined).length === 1,
      { error: "give one of text, parts and before", path: ["text"] },
    ),
);

export const sentPromptSchema = named(
  "SentPrompt",
  z.object({
    message: z.string(),
    state: z
      .enum(["steered", "queued"])
      .describe("The running turn has it, or it is the next one and the turn is being stopped"),
    turn: z.string().optional().describe("The turn that has it"),
    seq: z.number().int().describe("Where the log ended then"),
  }),
);

export const promptReceiptSchema = named(
  "PromptReceipt",
  z.object({
    message: z.string(),
    state: z.enum(["started", "queued", "steered"]),
    turn: z.string().optional(),
    seq: z.number().int().describe("Of `prompt.accepted`"),
  }),
);

export const queuedPromptSchema = named(
  "QueuedPrompt",
  z.object({
    message: z.string(),
    parts: z.array(promptPartSchema).readonly(),
    bytes: z.number().int(),
    whenBusy: whenBusySchema,
    settings: settingValuesSchema.optional(),
    by: z.string().optional().describe("Who sent it, by name"),
    author: z
      .string()
      .optional()
      .describe("The id of the token it came with. Absent for the token of the daemon itself"),
    at: z.number(),
    seq: z.number().int(),
    held: z
      .literal(true)
      .optional()
      .describe("It is skipped until somebody sends it now or releases the queue; the others run"),
    reason: z.string().optional().describe("Why it is held"),
  }),
);

export const queueQuerySchema = z.object({ cursor: listCursor.optional() });

export const queueSchema = named(
  "Queue",
  z.object({
    queue: z.array(queuedPromptSchema),
    hasMore: z.boolean().describe("Whether there are more than one answer holds"),
    cursor: z
      .string()
      .optional()
      .describe("Leads to them; when the last prompt of this page waits no more, the next page begins anew"),
    held: queueHeldSchema.optional(),
  }),
);

export const releasedQueueSchema = named(
  "ReleasedQueue",
  z.object({ released: z.boolean().describe("Whether prompts were held") }),
);

const contentPartSchema = namedUnion("ContentPart", coreContentPartSchema);

export const messageSchema = named(
  "Message",
  coreMessageSchema.extend({ content: z.array(contentPartSchema) }),
);

export const listMessagesQuerySchema = z.object({
  before: messageIdSchema.optional().describe("Give the messages before this one"),
  limit: pageLimit(50, 500),
});

export const messageListSchema = named(
  "MessageList",
  z.object({ messages: z.array(messageSchema), hasMore: z.boolean() }),
);

export const messageQuerySchema = z.object({
  include: nameList(["raw", "result"], [], "Any of `raw` and `result`, with a comma between"),
});

export const messageDetailsSchema = named(
  "MessageDetails",
  z.object({
    message: messageSchema,
    state: z.enum(["queued", "withdrawn", "streaming", "done"]),
    turn: z.string().optional(),
    firstSeq: z.number().int(),
    lastSeq: z.number().int(),
    rewoundAt: z.number().int().optional().describe("Set when the conversation was rewound past it"),
    raw: z
      .object({ raws: z.array(rawRecordSchema), hasMore: z.boolean() })
      .optional()
      .describe("The raw records it was made from, and those between"),
    result: z
      .object({ event: eventSchema, raw: rawRecordSchema.optional() })
      .optional()
      .describe("How its turn ended, with the native record that said so"),
  }),
);
