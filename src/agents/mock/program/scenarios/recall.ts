import type { Scenario } from "../scenario.ts";

export const RECALL: Scenario = {
  name: "recall",
  summary: "lists the earlier prompts of the conversation",
  async play(turn) {
    const { prompts } = turn.session.conversation;
    const place = prompts.findIndex(({ id }) => id === turn.prompt.prompt);
    const earlier = prompts.slice(0, place).map(({ text }, index) => `${index + 1}. ${text}`);
    await turn.text(
      earlier.length === 0 ? "There were no earlier prompts." : `Earlier prompts:\n${earlier.join("\n")}`,
    );
  },
};
