/** The tools that need a person rather than the machine: a question, and a plan to agree to. */
import { z } from "zod";
import type { WireEventOf, WirePermissions } from "../wire.ts";
import type { Answer } from "./asks.ts";
import { type LoopTool, parsedBy } from "./loop-tool.ts";
import { ToolFailure } from "./tools/tool.ts";

export interface Asking {
  ask(request: Omit<WireEventOf<"ask">, "event" | "ask">): Promise<Answer>;
  setPermissions(permissions: WirePermissions): void;
}

const questionSchema = z.object({
  question: z.string().min(1).describe("The whole question, in a sentence."),
  options: z
    .array(z.object({ label: z.string().min(1), description: z.string().optional() }))
    .max(10)
    .optional()
    .describe("Answers to choose from. Another answer is always possible."),
  multiple: z.boolean().optional().describe("Whether more than one may be chosen."),
});

const planSchema = z.object({
  plan: z.string().min(1).describe("The plan: what you will change and how, as markdown."),
});

const QUESTION = "answer";

export function askUser({ ask }: Asking): LoopTool {
  return {
    name: "ask_user",
    kind: "other",
    description: "Asks the user a question and waits for the answer.",
    permission: "none",
    ...parsedBy(questionSchema),
    title: (input) => (input as z.infer<typeof questionSchema>).question,
    async run(input, _context, call) {
      const { question, options, multiple } = input as z.infer<typeof questionSchema>;
      const { effect, answers, note } = await ask({
        kind: "question",
        call,
        title: question,
        options: [],
        questions: [
          { id: QUESTION, text: question, ...(options?.length && { options }), multiple, free: true },
        ],
      });
      if (effect === "reject") throw new ToolFailure("aborted", note ?? "The user did not answer.");
      return { result: { type: "ask_user_result", question, answers: answers[QUESTION] ?? [], note } };
    },
  };
}

export function proposePlan({ ask, setPermissions }: Asking): LoopTool {
  return {
    name: "propose_plan",
    kind: "other",
    description: "Shows the user a plan. Once the user agrees you may carry it out.",
    permission: "none",
    ...parsedBy(planSchema),
    title: () => "Proposes a plan",
    async run(input, _context, call) {
      const { plan } = input as z.infer<typeof planSchema>;
      const { effect, option, note } = await ask({
        kind: "plan",
        call,
        title: "Carry out this plan?",
        details: plan,
        options: [
          { id: "approve", label: "Approve", effect: "once" },
          { id: "approve-edits", label: "Approve, and accept edits", effect: "once" },
          { id: "reject", label: "Keep planning", effect: "reject" },
        ],
      });
      if (effect === "reject") throw new ToolFailure("aborted", note ?? "The user wants another plan.");
      setPermissions(option === "approve-edits" ? "acceptEdits" : "default");
      return { result: { type: "propose_plan_result", approved: true, note } };
    },
  };
}
