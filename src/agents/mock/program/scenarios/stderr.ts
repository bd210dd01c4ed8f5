import type { Scenario } from "../scenario.ts";

const DEFAULT_LINES = 1000;

export const STDERR: Scenario = {
  name: "stderr",
  summary: `${DEFAULT_LINES} lines of stderr; stderr:N for N lines`,
  async play(turn, argument) {
    const lines = Number(argument ?? DEFAULT_LINES);
    for (let count = 1; count <= lines; count += 1) process.stderr.write(`mock: debug line ${count}\n`);
    await turn.text("That was chatty.");
  },
};
