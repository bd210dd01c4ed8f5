import type { Scenario } from "../scenario.ts";

export const LATE: Scenario = {
  name: "late",
  summary: "text that arrives after its turn has ended",
  async play(turn) {
    const { output } = turn.session;
    const block = await turn.startBlock("text");
    await block.say("I am done.");
    turn.afterwards = async () => {
      for (const text of ["One more thing: ", "I was not done."]) {
        await output.send({ event: "block_delta", block: block.id, kind: "text", text });
      }
      await output.send({ event: "block_finished", block: block.id, kind: "text" });
      await output.send({ event: "turn_finished", turn: turn.id, reason: "done" });
    };
  },
};
