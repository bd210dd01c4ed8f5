/** Shows people what the model is about to do, and how far it is. */
import { z } from "zod";
import type { ModelTool } from "./tool.ts";

const MAX_ITEMS = 100;
const MAX_TEXT_LENGTH = 1000;

const input = z.object({
  items: z
    .array(
      z.object({
        text: z.string().min(1).max(MAX_TEXT_LENGTH),
        status: z.enum(["pending", "active", "done"]),
      }),
    )
    .max(MAX_ITEMS)
    .describe("All steps of the plan in order. They replace those given before."),
});

export const updatePlan: ModelTool<z.infer<typeof input>> = {
  name: "update_plan",
  kind: "plan",
  description:
    "Shows the user your plan for a task of several steps. Give all steps each time; keep one active while you work.",
  input,
  permission: "none",
  title: ({ items }) =>
    `Plan: ${items.filter(({ status }) => status === "done").length} of ${items.length} done`,
  async run({ items }, context) {
    context.setPlan(items);
    return { result: { type: "update_plan_result", count: items.length } };
  },
};
