import type { Scenario } from "../scenario.ts";

const HOUR_MS = 3_600_000;

export const HANG_DEAF: Scenario = {
  name: "hang-deaf",
  summary: "falls silent and ignores interrupts, the end of input and SIGTERM",
  async play(turn) {
    for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => {});
    process.stdin.removeAllListeners();
    setInterval(() => {}, HOUR_MS);
    const block = await turn.startBlock("text");
    await block.say("I can hear nothing but ");
    await new Promise<never>(() => {});
  },
};
