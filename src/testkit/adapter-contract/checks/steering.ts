/** Prompts that are folded into the running turn. */
import assert from "node:assert/strict";
import type { AdapterCheck } from "../adapter-contract.ts";
import { assertDeclared, assertRefused, withRun } from "../with-run.ts";

export const steering: Readonly<Record<string, AdapterCheck>> = {
  "Steerable: a prompt can be folded into the running turn, or it is said that it cannot": (contract) =>
    withRun(contract, async (run, adapter) => {
      const { running, prompt, holds } = contract.scenarios.steering;
      const { reportsSteering } = adapter.capabilities;
      await run.prompt(running);
      await run.untilEvent("text.delta");
      if (!("steer" in run.session)) {
        const parts = [{ type: "text" as const, text: prompt }];
        return assertRefused(run.session, { type: "prompt", message: "steered", parts, steer: true });
      }
      run.steer(prompt);
      await run.until(() => run.of("turn.ended").length > 0 && run.machine.state.turn === undefined);
      assertDeclared(adapter, "steer", holds(run));
      assert.equal(run.of("turn.ended").length, 1, "the steered prompt got a turn of its own");
      const isReported = run.drafts.some(({ type }) => type === "prompt.taken");
      assert.equal(isReported, reportsSteering, "`reportsSteering` is not declared as it is");
    }),
};
