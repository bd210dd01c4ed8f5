import type { Scenario } from "../scenario.ts";

export const RETRY: Scenario = {
  name: "retry",
  summary: "text that is taken back and said again",
  async play(turn) {
    const block = await turn.startBlock("text");
    await block.say("The answer is forty-");
    await turn.pause(40);
    await turn.emit({
      event: "retracted",
      blocks: [block.id],
      calls: [],
      reason: "the connection to the model was lost",
    });
    await turn.emit({
      event: "remark",
      level: "warning",
      code: "retry",
      text: "The connection to the model was lost; trying again.",
    });
    await turn.pause(40);
    await turn.text("The answer is forty-two.");
  },
};
