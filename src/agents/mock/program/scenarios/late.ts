import type { Scenario } from "../scenario.ts";

export const LATE: Scenario = {
  name: "late",
  summary: "text that arrives after its turn has ended",
  async play(turn) {
    const { session } = turn;
    const block = await turn.startBlock("text");
    await block.say("I am done.");
    turn.afterwards = async () => {
      await block.say("One more thing: ");
      await block.say("I was not done.");
      await block.finish();
      await session.output.send({ event: "turn_finished", turn: turn.id, reason: "done" });
    };
  },
};
