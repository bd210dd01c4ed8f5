/** Stopping a turn. */
import assert from "node:assert/strict";
import type { BackendSession, Interruptible } from "../../../core/adapter.ts";
import type { AdapterCheck } from "../adapter-contract.ts";
import { assertRefused, withRun } from "../with-run.ts";

export const interrupt: Readonly<Record<string, AdapterCheck>> = {
  "Interruptible: a turn can be stopped, and the next one works": (contract) =>
    withRun(contract, async (run) => {
      const { answer, endless } = contract.scenarios;
      if (!isInterruptible(run.session)) return assertRefused(run.session, { type: "interrupt" });
      await run.prompt(endless.prompt);
      await run.untilEvent("text.delta");
      assert.equal(run.of("turn.ended").length, 0, "the endless turn ended by itself");
      run.session.interrupt();
      await run.untilEvent("turn.ended");
      assert.equal(run.of("turn.ended")[0]?.outcome, "interrupted");
      const { outcome } = await run.turn(answer.prompt);
      assert.equal(outcome, "completed");
    }),

  "Interruptible: interrupt() throws after close()": (contract) =>
    withRun(contract, async (run) => {
      const { session } = run;
      if (!isInterruptible(session)) return;
      await run.close();
      assert.throws(() => session.interrupt(), /closed|ended|exited/i);
    }),
};

function isInterruptible(session: BackendSession): session is BackendSession & Interruptible {
  return "interrupt" in session;
}
