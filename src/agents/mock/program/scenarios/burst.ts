import type { Scenario } from "../scenario.ts";

const DEFAULT_DELTAS = 1000;

export const BURST: Scenario = {
  name: "burst",
  summary: "burst:N gives N deltas as fast as they are read",
  async play(turn, argument) {
    const deltas = Number(argument ?? DEFAULT_DELTAS);
    const block = await turn.startBlock("text");
    for (let count = 1; count <= deltas; count += 1) await block.say(`${count} `);
    await block.finish();
  },
};
