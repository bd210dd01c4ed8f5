import { proposePlan } from "../propose-plan.ts";
import type { Scenario } from "../scenario.ts";

export const PLAN: Scenario = {
  name: "plan",
  summary: "a plan that waits for approval",
  async play(turn) {
    await turn.think("This is worth a plan before anything is changed.");
    const { isApproved, note } = await proposePlan(turn, "Rename the module", [
      "Find every import of the module",
      "Rename the file and its imports",
      "Run the tests",
    ]);
    await turn.startStep();
    const because = note ? ` You said: ${note}` : "";
    await turn.text(isApproved ? "The plan is approved, I begin." : `I keep planning.${because}`);
  },
};
