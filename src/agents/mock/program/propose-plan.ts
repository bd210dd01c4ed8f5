/** Shows a plan and waits for a yes or a no. */
import type { Turn } from "./turn.ts";

export async function proposePlan(
  turn: Turn,
  title: string,
  steps: readonly string[],
): Promise<{ isApproved: boolean; note?: string }> {
  await turn.emit({ event: "todo", items: steps.map((text) => ({ text, state: "open" })) });
  const { meaning, note } = await turn.ask({
    kind: "plan",
    title,
    details: steps.map((step, index) => `${index + 1}. ${step}`).join("\n"),
    options: [
      { id: "approve", label: "Approve the plan", meaning: "allow" },
      { id: "reject", label: "Keep planning", meaning: "deny" },
    ],
  });
  return { isApproved: meaning !== "deny", note };
}
