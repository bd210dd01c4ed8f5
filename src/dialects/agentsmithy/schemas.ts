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
      .array(z.looseObject({ role: z.string(), content: z.unknown().optional() }))
      .describe("Only the last one of the user is read; its content is text"),
    context: z
      .looseObject({
        current_file: z
          .looseObject({
            path: z.string().max(4096).nullish(),
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

export const checkpointListSchema = named(
  "SmithyCheckpointList",
  z.object({
    dialog_id: z.string(),
    checkpoints: z.array(z.object({ commit_id: z.string(), message: z.string() })),
    initial_checkpoint: z.string().optional(),
  }),
);

export const sessionStatusSchema = named(
  "SmithySessionStatus",
  z.object({
    active_session: z.string().optional(),
    session_ref: z.string().optional(),
    has_unapproved: z.boolean(),
    last_approved_at: z.string().optional(),
    changed_files: z.array(
      z.object({
        path: z.string().describe("Relative to the dialog's directory"),
        status: z.enum(["added", "modified", "deleted"]),
        additions: z.number().int(),
        deletions: z.number().int(),
        diff: z.string().optional(),
        base_content: z.string().optional(),
        is_binary: z.boolean(),
        is_too_large: z.boolean(),
      }),
    ),
  }),
);

const kept = z
  .string()
  .optional()
  .describe("Names the files that stay as they are, because somebody else changed them");

export const restoreRequestSchema = z.looseObject({ checkpoint_id: z.string().min(1).max(128) });

export const restoreResponseSchema = z.object({
  restored_to: z.string(),
  new_checkpoint: z.string().describe("Taken right before: going back to it undoes the restore"),
  detail: kept,
});

export const approveRequestSchema = z.looseObject({ message: z.string().nullish() });

export const approveResponseSchema = z.object({
  approved_commit: z.string(),
  new_session: z.string(),
  commits_approved: z.number().int(),
});

export const resetResponseSchema = z.object({
  reset_to: z.string(),
  new_session: z.string(),
  pre_reset_checkpoint: z.string().optional(),
  detail: kept,
});

export const toolResultParams = dialogParams.extend({ call: z.string().min(1).max(1024) });

export const listedToolResultSchema = named(
  "SmithyListedToolResult",
  z.object({
    tool_call_id: z.string(),
    tool_name: z.string(),
    timestamp: z.string(),
    size_bytes: z.number().int(),
    summary: z.string(),
    error: z.string().optional(),
  }),
);

export const toolResultSchema = named(
  "SmithyToolResult",
  z.object({
    tool_call_id: z.string(),
    tool_name: z.string(),
    args: z.unknown(),
    result: z.unknown(),
    timestamp: z.string(),
    metadata: z.object({ size_bytes: z.number().int(), summary: z.string() }),
  }),
);

const values = z.record(z.string(), z.unknown());

export const configSchema = named("SmithyConfig", z.object({ config: values, metadata: values }));

export const changeConfigSchema = z.looseObject({
  config: values.describe("A patch; only `models.agents.universal.workload` can be changed"),
});

export const changedConfigSchema = configSchema.extend({ success: z.boolean(), message: z.string() });

export const renameSchema = z.looseObject({});

export const healthSchema = named(
  "SmithyHealth",
  z.object({
    status: z.literal("ok"),
    service: z.literal("agentsmithy-server"),
    server_status: z.enum(["ready", "error"]),
    port: z.number().int(),
    pid: z.number().int(),
    server_error: z.string().nullable(),
    config_valid: z.boolean(),
    config_errors: z.array(z.string()),
  }),
);
