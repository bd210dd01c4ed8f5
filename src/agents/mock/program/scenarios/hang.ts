import type { Scenario } from "../scenario.ts";

export const HANG: Scenario = {
  name: "hang",
  summary: "falls silent in the middle of the turn; an interrupt helps",
  async play(turn) {
    const block = await turn.startBlock("text");
    await block.say("Let me think about ");
    await turn.untilInterrupted(new Promise<never>(() => {}));
  },
};
