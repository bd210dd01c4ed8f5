/** Turns that do not end well. */
import type { Scenario } from "../scenario.ts";

export const ERROR: Scenario = {
  name: "error",
  summary: "the turn fails",
  async play(turn) {
    await turn.text("Let me see.");
    turn.ending = {
      reason: "failed",
      error: { code: "model_overloaded", message: "The model is overloaded. Try again in a minute." },
    };
  },
};

export const LIMIT: Scenario = {
  name: "limit",
  summary: "the turn ends at a limit",
  async play(turn) {
    await turn.text("This will be a long story. Once upon a");
    turn.ending = {
      reason: "limit",
      error: { code: "output_limit", message: "The answer reached the most tokens a turn may have." },
    };
  },
};

export const REFUSE: Scenario = {
  name: "refuse",
  summary: "the agent declines",
  async play(turn) {
    await turn.text("I would rather not do that.");
    turn.ending = { reason: "refused" };
  },
};
