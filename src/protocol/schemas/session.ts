/** Sessions on the wire. */
import { z } from "@hono/zod-openapi";
import { environmentSchema, MAX_ENVIRONMENT_NAMES } from "../../core/environment.ts";
import { forkedFromSchema } from "../../core/fork-fields.ts";
import { sessionIdSchema } from "../../core/identifier.ts";
import { onLostSchema } from "../../core/on-lost.ts";
import { SESSION_STATUSES } from "../../core/session-status.ts";
import { namedChoiceSchema, settingSchema } from "../../core/setting.ts";
import { limited } from "../limited-record.ts";
import { named } from "../named-schema.ts";
import { agentWord, listCursor, pageLimit, settingValue, settingValues } from "./parameter.ts";

const record = z.record(z.string(), z.unknown());

const KILOBYTE = 1024;

const environment = limited(environmentSchema, {
  bytes: 128 * KILOBYTE,
  keys: MAX_ENVIRONMENT_NAMES,
}).describe("Kept in memory only and masked wherever a value appears");

const createFields = {
  agent: z.string().min(1).max(128),
  cwd: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      "An absolute path inside the allowed roots. When left out: where the daemon was started, or the first root if that is outside",
    ),
  worktree: z
    .boolean()
    .optional()
    .describe(
      "Make a git worktree of that directory, on a branch of its own, with the files of the last commit, and work there",
    ),
  title: z.string().max(500).optional(),
  model: agentWord.optional(),
  mode: agentWord.optional().describe("`build`, `plan` or a name of the agent's own"),
  permissionMode: z
    .string()
    .min(1)
    .max(128)
    .optional()
    .describe("`default`, `plan`, `acceptEdits` or `bypass`, as far as the agent supports it"),
  settings: settingValues(settingValue)
    .optional()
    .describe("Other settings of the agent by id, as the session's view shows them"),
  metadata: limited(record, { bytes: 64 * KILOBYTE, keys: 1000 }).optional(),
  mcpServers: limited(record, { bytes: 256 * KILOBYTE, keys: 5000 }).optional(),
  env: environment.optional(),
  options: limited(record, { bytes: 256 * KILOBYTE, keys: 5000 })
    .optional()
    .describe("Settings only this agent understands"),
  install: z
    .enum(["auto", "never"])
    .optional()
    .describe(
      "Whether the agent may be installed when it is needed and missing; the config says when left out",
    ),
  checkpoints: z
    .enum(["on", "off"])
    .optional()
    .describe("Whether checkpoints of the files are taken around turns: on when left out"),
  onLost: onLostSchema
    .optional()
    .describe(
      "Whether a turn that a restart or a lost node cuts off is continued: `continue` sends the agent one prompt, `stop` waits for yours; the config says when left out",
    ),
};

export const sessionStatusSchema = named("SessionStatus", z.enum(SESSION_STATUSES));

export const createSessionSchema = named(
  "CreateSession",
  z.strictObject({ id: sessionIdSchema.optional(), ...createFields }),
);

export const updateSessionSchema = named(
  "UpdateSession",
  z.strictObject({
    title: createFields.title.describe("Also of a closed session"),
    pinned: z.boolean().optional().describe("Keep it on top, or no longer; also a closed one"),
    archived: z
      .boolean()
      .optional()
      .describe("Leave it out of lists, or show it again; what it does goes on. Also a closed one"),
    model: createFields.model,
    mode: createFields.mode,
    permissionMode: createFields.permissionMode,
    settings: settingValues(settingValue.nullable())
      .optional()
      .describe("Those named here; `null` leaves one to the agent again when it is next started"),
    metadata: createFields.metadata,
    env: createFields.env,
    onLost: createFields.onLost.describe("Whether turns that are cut off from now on are continued"),
    status: z.literal("closed").optional().describe("Closes the session and keeps its log"),
  }),
);

/** Of a session in any list. */
export const labelFields = {
  cost: z
    .number()
    .optional()
    .describe("What its turns cost so far, in dollars; left out while its agent reported none"),
  pinned: z.literal(true).optional().describe("Kept on top; left out when it is not"),
  archived: z.literal(true).optional().describe("Left out of lists unless they ask for it"),
  cutOffAt: z
    .number()
    .optional()
    .describe("When a restart of the daemon ended its last turn; left out once another turn begins"),
  node: z
    .string()
    .optional()
    .describe("The node that has it now, by name; left out where none has, and without a cluster"),
  nodeNumber: z
    .number()
    .int()
    .optional()
    .describe("The number of that node in `GET /v1/nodes`: two nodes may have one name"),
};

const viewFields = {
  id: z.string(),
  agent: z.string(),
  cwd: z.string(),
  title: z.string().optional(),
  status: sessionStatusSchema,
  model: z.string().optional(),
  mode: z.string().optional(),
  permissionMode: z.string().optional(),
  metadata: record.optional(),
  agentSessionId: z.string().optional().describe("The agent's own id of the conversation"),
  createdAt: z.number(),
  updatedAt: z.number(),
  head: z.number().int().describe("The seq of the newest event"),
  rawHead: z.number().int().describe("The rawSeq of the newest raw record"),
  openAsks: z.number().int(),
  queued: z.number().int(),
  forkedFrom: forkedFromSchema
    .optional()
    .describe("The session it began as a copy of, and the first message it does not have"),
  ...labelFields,
};

export const sessionViewSchema = named("Session", z.object(viewFields));

export const queueHeldSchema = z
  .object({ by: z.string().optional().describe("Who wanted it, by name"), at: z.number() })
  .describe("Prompts wait and none of them begins by itself");

const alwaysAllowedSchema = z.object({
  ask: z.string(),
  seq: z.number().int().describe("Where in the log it was answered"),
  title: z.string().describe("What was asked"),
  label: z.string().describe("The option that was chosen, in the agent's words"),
  covers: z.array(z.string()).optional(),
  storedIn: z.string().optional(),
  by: z.string().describe("Who allowed it, by name"),
  at: z.number(),
});

export const sessionDetailsSchema = named(
  "SessionDetails",
  z.object({
    ...viewFields,
    attached: z.boolean().describe("Whether the agent runs"),
    agentVersion: z.string().optional(),
    models: z.array(namedChoiceSchema).optional(),
    modes: z.array(namedChoiceSchema).optional(),
    commands: z
      .array(z.object({ name: z.string(), description: z.string().optional(), hint: z.string().optional() }))
      .optional(),
    settings: z
      .array(settingSchema)
      .optional()
      .describe("Settings that are neither model nor mode, with the values in force"),
    tools: z.array(z.string()).optional(),
    context: z
      .object({ used: z.number(), size: z.number().optional() })
      .optional()
      .describe("How full the agent's context window last was, in tokens"),
    env: z.array(z.string()).optional().describe("Names of the environment values it was given"),
    install: createFields.install,
    envRequired: z.boolean().describe("Whether the values have to be given again before the next prompt"),
    checkpoints: z.enum(["on", "off"]).describe("Whether checkpoints of the files are taken around turns"),
    checkpointObstacle: z.string().optional().describe("Why there are none although they are on"),
    onLost: z
      .literal("continue")
      .optional()
      .describe("A turn that is cut off is continued; left out where it waits for a prompt"),
    queueHeld: queueHeldSchema.optional(),
    waitsFor: z
      .object({
        node: z.string().optional().describe("The node that has its files, and is gone"),
        nodeNumber: z.number().int().optional().describe("The number that this node last had"),
        agent: z.string().optional().describe("Its agent, which no node has"),
      })
      .optional()
      .describe("What has to come before anything of it begins"),
    asks: z
      .object({
        asks: z.enum(["yes", "no", "unknown"]),
        path: z
          .string()
          .optional()
          .describe("The field that decides: `permissionMode`, `settings.allow_all`"),
        reason: z.string(),
      })
      .describe("Whether its agent asks a person before it acts, as the session works now"),
    alwaysAllowed: z
      .array(alwaysAllowedSchema)
      .optional()
      .describe("What people allowed for more than once, the newest fifty answers, oldest first"),
    forks: z
      .array(z.string())
      .optional()
      .describe("The sessions that began as copies of this one, the newest hundred"),
  }),
);

export const listSessionsQuerySchema = z.object({
  cursor: listCursor.optional(),
  limit: pageLimit(50, 500),
  agent: z.string().min(1).optional(),
  status: sessionStatusSchema.optional(),
  cwd: z
    .string()
    .min(1)
    .max(4096)
    .optional()
    .describe(
      "Only those that work in this directory, not in one below it; an absolute path, links are followed",
    ),
  search: z.string().max(500).optional().describe("Words to look for in id, title and prompts"),
  archived: z
    .enum(["false", "true", "any"])
    .default("false")
    .describe("Which: those that are not archived, those that are, or both"),
  pinned: z.enum(["true", "false"]).optional().describe("Only those that are pinned, or only the others"),
});

export const sessionListSchema = named(
  "SessionList",
  z.object({ sessions: z.array(sessionViewSchema), cursor: z.string().optional() }),
);

export const interruptSchema = named(
  "Interrupt",
  z.strictObject({
    turn: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe("Stop only this turn; another one, begun meanwhile, goes on"),
    hold: z
      .boolean()
      .optional()
      .describe("Also hold prompts that wait, until a prompt is sent or they are released"),
  }),
);

export const interruptedSchema = named(
  "Interrupted",
  z.object({
    interrupted: z.boolean(),
    held: z.boolean().optional().describe("With `hold`: whether prompts wait that are held"),
  }),
);

export const rewindSchema = named(
  "Rewind",
  z.strictObject({
    before: z.string().min(1).max(128).describe("The user message that goes, with all after it"),
  }),
);

export const rewoundSchema = named(
  "Rewound",
  z.object({
    before: z.string(),
    agentForgot: z.boolean().describe("Whether the agent forgot it too"),
    seq: z.number().int(),
  }),
);

export const forkSchema = named(
  "Fork",
  z.strictObject({
    before: z
      .string()
      .min(1)
      .max(128)
      .optional()
      .describe("The user message that is left out, with its whole turn and all after it"),
    cwd: createFields.cwd.describe("Where the new session works. When left out: where this one does"),
    worktree: z
      .boolean()
      .optional()
      .describe("Make a git worktree for the new session, with the files as they were where the copy ends"),
  }),
);
