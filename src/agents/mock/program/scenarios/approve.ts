import type { Scenario } from "../scenario.ts";
import { textField } from "../text-field.ts";

const COMMAND = "npm test";
const DELTAS = 30;

export const APPROVE: Scenario = {
  name: "approve",
  summary: "one tool behind a permission, then some text",
  async play(turn) {
    await turn.text("I would like to run the tests.");
    const call = await turn.startCall("run_command", {
      title: "Run npm test",
      kind: "execute",
      input: { command: COMMAND },
    });
    const verdict = await turn.permit(call, { details: "Runs the tests of this project." });
    if (verdict.isAllowed) {
      await turn.pause(60);
      const command = textField(verdict.input, "command") ?? COMMAND;
      await call.output({ command, stdout: "12 tests passed\n" }, { exitCode: 0 });
    }
    await turn.startStep();
    const outcome = verdict.isAllowed ? "passed" : "skipped";
    const pieces = Array.from({ length: DELTAS }, (_, index) => `${outcome}-${index + 1} `);
    await turn.text(pieces);
  },
};
