import type { Scenario } from "../scenario.ts";

export const COMPACT: Scenario = {
  name: "compact",
  summary: "summarizes the conversation",
  async play(turn) {
    await turn.emit({ event: "compacting" });
    await turn.pause(80);
    const summary = `The conversation so far, in ${turn.session.conversation.prompts.length} prompts.`;
    await turn.emit({ event: "compacted", summary, tokensBefore: 48_000, tokensAfter: 1_200 });
    await turn.text("I have summarized the conversation.");
  },
};
