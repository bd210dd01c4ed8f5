/** Answers that repeat what the mock was given, to see what becomes of it on the way. */
import type { Scenario } from "../scenario.ts";

export const ECHO: Scenario = {
  name: "echo",
  summary: "the exact text of the prompt",
  async play(turn) {
    await turn.text([turn.prompt.text]);
  },
};

export const ECHO_SPLIT: Scenario = {
  name: "echo-split",
  summary: "the exact text of the prompt, one character at a time",
  async play(turn) {
    await turn.text([...turn.prompt.text], { every: 1 });
  },
};

export const ENVIRONMENT: Scenario = {
  name: "env",
  summary: "env:NAME gives the value of that environment variable",
  async play(turn, name = "PATH") {
    await turn.text([process.env[name] ?? `${name} is not set`]);
  },
};
