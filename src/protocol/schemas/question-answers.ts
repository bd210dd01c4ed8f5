/** The answers to questions, by ids that an agent chose: `__proto__` is one like any other, and a record schema drops it. */
import { z } from "@hono/zod-openapi";
import { ownValue } from "../../core/own-value.ts";

const values = z.array(z.string());
const record = z.record(z.string(), values);

/** Checked like a record and passed on unchanged. */
export const questionAnswersSchema = z
  .custom<Record<string, string[]>>()
  .superRefine((given, context) => {
    const { error } = record.safeParse(given);
    for (const issue of error?.issues ?? hiddenIssues(given))
      context.addIssue({ ...issue } as z.core.$ZodSuperRefineIssue);
  })
  .openapi({ type: "object", additionalProperties: { type: "array", items: { type: "string" } } });

function hiddenIssues(given: Record<string, unknown>): z.core.$ZodIssue[] {
  const hidden = ownValue(given, "__proto__");
  if (hidden === undefined) return [];
  const { error } = values.safeParse(hidden);
  return (error?.issues ?? []).map((issue) => ({ ...issue, path: ["__proto__", ...issue.path] }));
}
