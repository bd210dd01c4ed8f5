import type { Scenario } from "../scenario.ts";
import { describeFiles } from "./describe-files.ts";

export const TEXT: Scenario = {
  name: "text",
  summary: "a short answer",
  async play(turn) {
    await turn.text(
      `Hello from the mock agent. This is a short, plain answer.${describeFiles(turn.prompt.files)}`,
    );
  },
};
