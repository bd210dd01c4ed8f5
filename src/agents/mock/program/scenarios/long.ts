import type { Scenario } from "../scenario.ts";

const DELTAS = 200;

export const LONG: Scenario = {
  name: "long",
  summary: `${DELTAS} small deltas over a few seconds`,
  async play(turn) {
    const pieces = Array.from({ length: DELTAS }, (_, index) => `word-${index + 1} `);
    await turn.text(pieces, { every: 12 });
  },
};
