/** What AgentSmithy clients send and get. Unknown fields are let through: clients add their own. */
import { z } from "@hono/zod-openapi";
import { named } from "../../protocol/named-schema.ts";
import { pageLimit, seqCursor } from "../../protocol/schemas/parameter.ts";

export const dialogParams = z.object({
  id: z.string().min(1).max(128).describe("The dialog's ULID"),
});

export const chatRequestSchema = named(
  "SmithyChatRequest",
  z.looseObject({
    messages: z
      .array(z.looseObject({ role: z.string(), content: z.string() }))
      .describe("Only the last one of the user is read"),
    context: z
      .looseObject({
        current_file: z
          .looseObject({
            path: z.string().max(4096),
            language: z.string().nullish(),
            content: z.string().nullish(),
            selection: z.string().nullish(),
          })
          .nullish()
          .describe("What the person looks at; it becomes a part of the prompt"),
      })
      .nullish(),
    stream: z.boolean().default(true),
    dialog_id: z.string().max(128).nullish().describe("The current dialog when left out, else a new one"),
  }),
);

export type ChatRequest = z.infer<typeof chatRequestSchema>;

export const smithyEventSchema = named(
  "SmithyEvent",
  z.looseObject({ type: z.string(), dialog_id: z.string() }).describe("An event; the last one is `done`"),
);

export const chatResponseSchema = named(
  "SmithyChatResponse",
  z.object({
    content: z.string(),
    done: z.literal(true),
    metadata: z
      .looseObject({ dialog_id: z.string(), checkpoint: z.string().optional(), error: z.string().optional() })
      .describe("`error` says why the turn has not done what it was asked for"),
  }),
);

export const okSchema = z.object({ ok: z.literal(true) });

export const dialogSchema = named(
  "SmithyDialog",
  z.object({
    id: z.string(),
    title: z.string().optional(),
    created_at: z.string(),
    updated_at: z.string(),
  }),
);

export const listDialogsQuerySchema = z.object({
  sort: z.enum(["updated_at", "created_at"]).default("updated_at"),
  order: z.enum(["asc", "desc"]).default("desc"),
  limit: pageLimit(50, 500),
  offset: seqCursor.default(0),
});

export const dialogListSchema = named(
  "SmithyDialogList",
  z.object({ current_dialog_id: z.string().optional(), dialogs: z.array(dialogSchema) }),
);

const title = z.string().max(1000);

export const createDialogSchema = z.looseObject({
  title: title.nullish(),
  set_current: z.boolean().default(true),
});

export const createdDialogSchema = z.object({ id: z.string() });

export const changeDialogSchema = z.looseObject({ title });

export const currentDialogSchema = z.object({ id: z.string().optional(), meta: dialogSchema.optional() });

export const setCurrentQuerySchema = z.object({ id: z.string().min(1).max(128) });

export const historyQuerySchema = z.object({
  limit: pageLimit(20, 500).describe("How many messages: `user` and `chat` events"),
  before: seqCursor.optional().describe("Give those before this `idx`"),
});

export const historySchema = named(
  "SmithyHistory",
  z.object({
    dialog_id: z.string(),
    events: z.array(z.looseObject({ type: z.string() })),
    total_events: z.number().int(),
    has_more: z.boolean(),
    first_idx: z.number().int().optional(),
    last_idx: z.number().int().optional(),
  }),
);
