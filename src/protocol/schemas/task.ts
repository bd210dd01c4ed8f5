/** Tasks in the background on the wire. */
import { z } from "@hono/zod-openapi";
import { named } from "../named-schema.ts";

export const taskSchema = named(
  "Task",
  z.object({
    task: z.string(),
    title: z.string(),
    kind: z.string().optional().describe("`command` or `agent`, where the agent says so"),
    call: z.string().optional().describe("The call that began it"),
    state: z
      .enum(["running", "stopping", "completed", "failed", "stopped", "lost"])
      .describe("`stopping` until the agent has ended it; `lost` if the agent ended first"),
    status: z.string().optional().describe("What the agent last said of it"),
    progress: z.unknown().optional(),
    output: z.string().optional().describe("The end of what it wrote, as far as the agent told"),
    startedAt: z.number().optional(),
    endedAt: z.number().optional(),
    stoppingBy: z.string().optional().describe("Who wants it to end"),
    summary: z.string().optional(),
  }),
);

export const taskListSchema = named(
  "TaskList",
  z.object({ tasks: z.array(taskSchema).describe("Those that run, then the last twenty that ended") }),
);
