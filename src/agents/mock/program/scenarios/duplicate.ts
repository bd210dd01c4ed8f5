import type { Scenario } from "../scenario.ts";

export const DUPLICATE: Scenario = {
  name: "duplicate",
  summary: "ids that are used twice",
  async play(turn) {
    const input = { path: "a.txt" };
    const call = await turn.startCall("read_file", { title: "Read a.txt", kind: "read", input });
    // Announced again while it runs, and once more after its result.
    await call.start();
    await call.output({ content: "first" });
    await call.start();
    await call.output({ content: "second" });
    await turn.startStep();
    const block = await turn.startBlock("text");
    await block.say("Said once.");
    await block.start();
    await block.say("Said again.");
    await block.finish();
    await block.finish();
  },
};
