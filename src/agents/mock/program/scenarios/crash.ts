import type { Scenario } from "../scenario.ts";

export const CRASH: Scenario = {
  name: "crash",
  summary: "the process is killed in the middle of the turn",
  async play(turn) {
    const block = await turn.startBlock("text");
    await block.say("I have a bad feeling about ");
    await turn.pause(20);
    process.stderr.write("mock: the flux capacitor is on fire\nmock: fatal, giving up\n");
    await turn.pause(20);
    process.kill(process.pid, "SIGKILL");
  },
};
