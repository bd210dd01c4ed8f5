/** Agents, usage and health on the wire. */
import { z } from "@hono/zod-openapi";
import { agentStatusSchema, capabilitiesSchema } from "../../core/capability.ts";
import { NODE_STATES } from "../../core/nodes.ts";
import { tokenUsageSchema } from "../../core/usage.ts";
import { USAGE_KEYS } from "../../core/usage-groups.ts";
import { named } from "../named-schema.ts";
import { nameList } from "./parameter.ts";
import { problemSchema } from "./problem.ts";

export type { UsageKey } from "../../core/usage-groups.ts";

export const agentParams = z.object({ agent: z.string().min(1).max(128) });

export const agentViewSchema = named(
  "Agent",
  z.object({
    name: z.string(),
    title: z.string().describe("How people call it"),
    capabilities: capabilitiesSchema,
    node: z.string().optional().describe("The node whose program this is about; absent for a daemon alone"),
    nodeNumber: z.number().int().optional().describe("The number of that node in `GET /v1/nodes`"),
    installable: z.string().optional().describe("The version that can be installed, where there is one"),
    status: agentStatusSchema.optional().describe("Present when the agent was probed not long ago"),
    unread: z
      .array(z.object({ native: z.string(), count: z.number().int() }))
      .optional()
      .describe(
        "What it said and nobody has a use for, since the daemon was started, by the agent's own names",
      ),
  }),
);

export const agentListSchema = named(
  "AgentList",
  z.object({
    agents: z.array(agentViewSchema),
    default: z.string().describe("Taken where a client names none"),
    isDefaultConfigured: z.boolean().describe("Whether a setting of the daemon names the default"),
  }),
);

export const installationFrameSchema = named(
  "InstallationFrame",
  z.discriminatedUnion("phase", [
    named(
      "InstallationProgress",
      z.object({
        phase: z.enum(["preparing", "downloading", "finishing"]),
        bytes: z.number().int().optional().describe("What has arrived"),
        total: z.number().int().optional().describe("What is expected"),
      }),
    ),
    named(
      "InstallationDone",
      z.object({
        phase: z.literal("installed"),
        version: z.string(),
        path: z.string().describe("The program's file"),
        node: z.string().optional().describe("The node that has the program; absent for a daemon alone"),
        nodeNumber: z.number().int().optional().describe("The number of that node in `GET /v1/nodes`"),
      }),
    ),
    named("InstallationFailure", z.object({ phase: z.literal("failed"), ...problemSchema.shape })),
  ]),
);

export type InstallationFrame = z.infer<typeof installationFrameSchema>;

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/, "must be a day like 2026-01-31");

export const usageQuerySchema = z.object({
  session: z.string().min(1).optional(),
  agent: z.string().min(1).optional(),
  from: day.optional().describe("The first day, in UTC"),
  to: day.optional().describe("The last day, in UTC"),
  by: nameList(
    USAGE_KEYS,
    ["session", "agent", "day"],
    "What to add up by: any of `session`, `agent`, `day`, `model` and `directory`; the first three by default",
  ),
  cursor: z.string().min(1).max(1024).optional().describe("From the page before"),
  format: z
    .enum(["json", "csv"])
    .optional()
    .describe("`csv` gives all rows as comma-separated values, as `accept: text/csv` does"),
});

const totals = {
  usage: tokenUsageSchema,
  cost: z.number().describe("In dollars, without play money"),
  playCost: z
    .number()
    .optional()
    .describe(
      "What agents whose capabilities have `playMoney` say they cost; left out where that is nothing",
    ),
  turns: z.number().int(),
  durationMs: z.number().describe("How long the turns took, from start to end"),
  waitedMs: z.number().describe("Of that time: how long an answer of a person was awaited"),
  tools: z.number().int(),
  asks: z.number().int(),
  allowed: z.number().int().describe("Of the asks: what was allowed, once or always"),
  denied: z.number().int().describe("And what was rejected"),
};

export const usageSchema = named(
  "Usage",
  z.object({
    rows: z.array(
      z.object({
        session: z.string().optional(),
        agent: z.string().optional(),
        day: z.string().optional(),
        model: z.string().optional().describe("Left out where it is not known"),
        directory: z.string().optional().describe("Where the sessions work"),
        ...totals,
      }),
    ),
    total: z.object(totals).describe("Of all rows, also of those on other pages"),
    hasMore: z.boolean().describe("Whether there are more rows than one answer holds"),
    cursor: z.string().optional().describe("Leads to them"),
  }),
);

const healthProblem = {
  problem: z.string().optional(),
  code: z
    .enum(["store_unavailable", "database_damaged", "thread_pool_blocked"])
    .optional()
    .describe(
      "Which problem. `thread_pool_blocked`: file work stands still, because all threads wait for files that do not answer",
    ),
};

export const healthSchema = named(
  "Health",
  z.object({
    status: z.enum(["ok", "failing"]),
    version: z.string(),
    ...healthProblem,
    damagedSessions: z
      .number()
      .int()
      .optional()
      .describe("Sessions found damaged since the start; absent when there are none"),
  }),
);

const versionForKnownHosts = z
  .string()
  .optional()
  .describe("Left out where the request names a host that the daemon does not answer to elsewhere");

export const livenessSchema = named(
  "Liveness",
  z.object({ status: z.literal("ok"), version: versionForKnownHosts }),
);

export const readinessSchema = named(
  "Readiness",
  z.object({
    status: z
      .enum(["ok", "unready", "draining", "frozen", "failing"])
      .describe(
        "`unready`: it does not agree with the other nodes. `draining`: it was told to go. `frozen`: it has lost its lease. `failing`: it cannot write, or file work stands still",
      ),
    version: versionForKnownHosts,
    ...healthProblem,
  }),
);

export const nodeListSchema = named(
  "NodeList",
  z.object({
    nodes: z.array(
      named(
        "Node",
        z.object({
          id: z.number().int().describe("The number of its incarnation: a restart has another one"),
          name: z.string(),
          url: z
            .string()
            .optional()
            .describe("Where other nodes reach it; its own address where there are no others"),
          state: z
            .enum(NODE_STATES)
            .describe(
              "`unready`: it lives, and clients should not be sent to it. `draining`: it was told to go and finishes its turns. `frozen`: its beat stands still, but nobody has its sessions yet. `dead`: others have them, or take them",
            ),
          problem: z.string().optional().describe("Why it is not ready, and what to do"),
          sessions: z.number().int().describe("How many it has now; idle sessions are at no node"),
          agents: z.number().int().describe("How many agents run there"),
          maxAgents: z.number().int().describe("How many may"),
          self: z.boolean().describe("Whether it is the one that answers"),
        }),
      ),
    ),
  }),
);
