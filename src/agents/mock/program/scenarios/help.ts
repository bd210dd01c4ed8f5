import type { Scenario } from "../scenario.ts";
import { SCENARIOS } from "./index.ts";

export const HELP: Scenario = {
  name: "help",
  summary: "lists the scenarios",
  async play(turn) {
    const lines = SCENARIOS.map(({ name, summary }) => `- \`scenario:${name}\`: ${summary}\n`);
    await turn.text(["Put one of these anywhere in a prompt:\n\n", ...lines], { every: 5 });
  },
};
