/** Checkpoints, changes and restores on the wire. */
import { z } from "@hono/zod-openapi";
import { checkpointKindSchema } from "../../core/workspace-fields.ts";
import { named } from "../named-schema.ts";
import { nameList } from "./parameter.ts";

const checkpointId = z.string().min(1).max(128);

const path = z.string().describe("Relative to the session's directory");

export const checkpointListSchema = named(
  "CheckpointList",
  z.object({
    checkpoints: z.array(
      z.object({
        id: z.string().describe("The id of a git commit"),
        at: z.number(),
        seq: z.number().int().describe("Its `checkpoint.created`"),
        kind: checkpointKindSchema,
        message: z.string().optional().describe("The prompt it was taken for"),
        turn: z.string().optional(),
        restored: z
          .object({
            to: z.string().describe("The checkpoint they went back to"),
            files: z.number().int().describe("How many did"),
            paths: z.array(z.string()).describe("Which, the first hundred"),
            by: z.string().optional().describe("Who wanted it, by name"),
          })
          .optional()
          .describe("Of one that was taken before files went back: what that did"),
        dropped: z
          .literal(true)
          .optional()
          .describe(
            "It was old, there were too many, or they were deleted: nothing can go back to it any more",
          ),
        elsewhere: z
          .string()
          .optional()
          .describe("The node, or the directory, that keeps it, if the node that has the session does not"),
      }),
    ),
  }),
);

const changeSchema = named(
  "FileChange",
  z.object({
    path,
    status: z.enum(["added", "modified", "deleted"]),
    additions: z.number().int(),
    deletions: z.number().int(),
    diff: z.string().optional().describe("Unified; none for binary and very large files"),
    base: z.string().optional().describe("What the file held before"),
    binary: z.literal(true).optional(),
    tooLarge: z.literal(true).optional().describe("Too large to be shown here"),
  }),
);

export const changesQuerySchema = z
  .object({
    turn: z.string().min(1).max(128).optional().describe("What this turn changed"),
    since: checkpointId.optional().describe("What turns changed since this checkpoint"),
    include: nameList(["base"], [], "`base`: with what each file held before"),
  })
  .refine(({ turn, since }) => turn === undefined || since === undefined, {
    path: ["since"],
    message: "cannot be given together with turn",
  });

export const changesSchema = named("FileChanges", z.object({ changes: z.array(changeSchema) }));

const restoreFields = {
  files: z.boolean().optional().describe("Whether files go back: true when left out"),
  conversation: z
    .boolean()
    .optional()
    .describe(
      "Whether the conversation goes back too, to before the first prompt since: false when left out",
    ),
  paths: z
    .array(z.string().min(1).max(4096))
    .min(1)
    .max(1000)
    .optional()
    .describe(
      "Only these files, or what is below these directories: relative to the session's, or absolute in it",
    ),
  onConflict: z
    .enum(["refuse", "keep", "merge", "overwrite"])
    .optional()
    .describe(
      "For files that somebody else has changed since: refuse everything (default), keep them, take only the agent's " +
        "changes out of them, or overwrite them. Where that is impossible for one of them, everything is refused",
    ),
  preview: z.boolean().optional().describe("Only tell what would happen"),
  expect: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe("From a preview: refuse if something else would happen by now"),
};

const movesSomething = (request: { files?: boolean; conversation?: boolean }) =>
  request.files !== false || request.conversation === true;
const nothingMoves = { path: ["files"], message: "is false, and so is conversation: nothing would go back" };

export const restoreSchema = named(
  "Restore",
  z.strictObject({ checkpoint: checkpointId, ...restoreFields }).refine(movesSomething, nothingMoves),
);

export const resetSchema = named("Reset", z.strictObject(restoreFields).refine(movesSomething, nothingMoves));

export const restoredSchema = named(
  "Restored",
  z.object({
    restored: z.array(z.string()).describe("Paths of the files that went back"),
    checkpoint: z
      .string()
      .optional()
      .describe("Taken right before: it undoes the restore. That of a preview is not kept"),
    changes: z.array(changeSchema).describe("What the restore changed"),
    kept: z.array(z.string()).optional().describe("Files that somebody else has changed; left as they are"),
    conflicts: z.array(z.string()).optional().describe("In a preview: what the restore would be refused for"),
    rewound: z.string().optional().describe("The first message that left the conversation"),
    expect: z.string().optional().describe("In a preview: send it back to get exactly this"),
  }),
);

export const approvedSchema = named(
  "Approved",
  z.object({ checkpoint: z.string(), changes: z.number().int().describe("How many files were pending") }),
);

const bytes = z.number().int().describe("What checkpoints take on the disk");

export const workspacesSchema = named(
  "Workspaces",
  z.object({
    bytes,
    workspaces: z
      .array(
        z.object({
          directory: z.string(),
          checkpoints: z.number().int().optional().describe("Absent if they cannot be read"),
          bytes,
          problem: z.string().optional().describe("Why they cannot be read, and what helps"),
        }),
      )
      .describe("The largest first"),
  }),
);

export const collectedSchema = named(
  "CollectedGarbage",
  z.object({
    dropped: z.number().int().describe("How many checkpoints were too old or too many"),
    freed: z.number().int().describe("Bytes"),
    bytes,
    failed: z
      .array(z.object({ directory: z.string(), problem: z.string().describe("The reason, and what helps") }))
      .optional()
      .describe("Directories whose checkpoints could not be looked after; the others were"),
  }),
);
