import type { Scenario } from "../scenario.ts";

const DEFAULT_MEGABYTES = 20;

export const HUGE: Scenario = {
  name: "huge",
  summary: `a tool output of ${DEFAULT_MEGABYTES} MB in one line; huge:N for N MB`,
  async play(turn, argument) {
    const input = { path: "huge.log" };
    const call = await turn.startCall("read_file", { title: "Read huge.log", kind: "read", input });
    const characters = Number(argument ?? DEFAULT_MEGABYTES) * 1024 * 1024;
    const line = "All work and no play makes the mock a dull agent.\n";
    await call.output(line.repeat(Math.ceil(characters / line.length)).slice(0, characters));
    await turn.startStep();
    await turn.text("That was a large file.");
  },
};
