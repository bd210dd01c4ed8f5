/** What AI SDK clients send to `/api/chat`. Unknown fields are let through: front ends add their own. */
import { z } from "@hono/zod-openapi";
import { messageIdSchema, sessionIdSchema } from "../../core/identifier.ts";
import { named } from "../../protocol/named-schema.ts";
import { agentWord, nameList, pageLimit, seqCursor } from "../../protocol/schemas/parameter.ts";

export const toolPartsSchema = z
  .enum(["static", "dynamic"])
  .describe("Whether tools are `tool-<name>` parts (default) or `dynamic-tool` parts");

export const uiMessageSchema = named(
  "UIMessage",
  z
    .looseObject({
      id: z.string(),
      role: z.enum(["system", "user", "assistant"]),
      parts: z.array(z.looseObject({ type: z.string() })),
      metadata: z.unknown().optional(),
    })
    .describe("A message as the AI SDK has it"),
);

export const listChatMessagesQuerySchema = z.object({
  before: messageIdSchema.optional().describe("Give the messages before this one"),
  limit: pageLimit(50, 500),
  toolParts: toolPartsSchema.optional(),
});

export const chatMessageListSchema = named(
  "ChatMessageList",
  z.object({ messages: z.array(uiMessageSchema), hasMore: z.boolean() }),
);

export const chatMessageQuerySchema = z.object({
  include: nameList(["chunks"], [], "`chunks`, for the chunks that make it"),
  toolParts: toolPartsSchema.optional(),
});

export const chatMessageSchema = named(
  "ChatMessage",
  z.object({
    message: uiMessageSchema,
    chunks: z.array(z.looseObject({ type: z.string() })).optional(),
  }),
);

export const chatRequestSchema = named(
  "ChatRequest",
  z
    .looseObject({
      id: sessionIdSchema.optional().describe("The chat's id, which is the session's"),
      sessionId: sessionIdSchema.optional().describe("The same under another name"),
      messages: z
        .array(uiMessageSchema)
        .optional()
        .describe("The whole history; only what is new in it is read"),
      message: z
        .union([z.string().min(1), uiMessageSchema])
        .optional()
        .describe("The last message, or its text"),
      trigger: z.enum(["submit-message", "regenerate-message"]).default("submit-message"),
      messageId: messageIdSchema.nullish().describe("The message that is edited, answered or made again"),
      agent: z
        .string()
        .min(1)
        .max(128)
        .optional()
        .describe("Of a new session; the default agent when left out"),
      cwd: z.string().min(1).max(4096).optional().describe("Of a new session; the first root when left out"),
      model: agentWord.optional(),
      mode: agentWord.optional(),
      permissionMode: z.string().min(1).max(128).optional(),
      toolParts: toolPartsSchema.optional(),
      whenBusy: z
        .enum(["queue", "steer", "reject"])
        .default("queue")
        .describe("What to do while a turn runs"),
    })
    .refine((body) => (body.id ?? body.sessionId) !== undefined, {
      error: "give the id of the chat",
      path: ["id"],
    })
    .refine((body) => body.message !== undefined || (body.messages?.length ?? 0) > 0, {
      error: "give messages or a message",
      path: ["messages"],
    }),
);

export type ChatRequest = z.infer<typeof chatRequestSchema>;

/** A chat's id, or what `x-workflow-run-id` said: `session~message` or `session~message~segment`. */
export const chatStreamParams = z.object({
  id: z
    .string()
    .regex(
      /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,128}(?:~[A-Za-z0-9._:-]{1,128}(?:~\d{1,6})?)?$/,
      "must be the id of a chat or of a run",
    ),
});

const includeRaw = z
  .enum(["raw"])
  .optional()
  .describe("`raw` puts the agent's own message on the chunks that came from it, in `providerMetadata`");

export const sendChatQuerySchema = z.object({ include: includeRaw });

export const chatStreamQuerySchema = z.object({
  startIndex: z.coerce
    .number("must be a whole number")
    .int("must be a whole number")
    .optional()
    .openapi({ type: "integer" })
    .describe("Leave out this many chunks; a negative number gives the last ones"),
  toolParts: toolPartsSchema.optional(),
  include: includeRaw,
});

export const chatMessageStreamQuerySchema = z.object({
  startIndex: seqCursor.optional().describe("Leave out this many chunks"),
  toolParts: toolPartsSchema.optional(),
  include: includeRaw,
});

/** A chunk of the AI SDK's UI message stream. */
export const uiMessageChunkSchema = named(
  "UIMessageChunk",
  z
    .looseObject({ type: z.string() })
    .describe("A chunk of the UI message stream; the last frame is `[DONE]`"),
);
