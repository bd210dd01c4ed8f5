/** Tasks that outlive the turn that began them. */
import assert from "node:assert/strict";
import type { AdapterCheck } from "../adapter-contract.ts";
import { assertDeclared, assertRefused, outcomeOf, withRun } from "../with-run.ts";

export const tasks: Readonly<Record<string, AdapterCheck>> = {
  "ends a task in the background, or says that it cannot": (contract) =>
    withRun(contract, async (run, adapter) => {
      if (!adapter.capabilities.stopTasks)
        return assertRefused(run.session, { type: "stopTask", task: "none" });
      const { background } = contract.scenarios;
      assert.ok(background, "`scenarios.background` is needed, because `stopTasks` is declared");
      await run.turn(background.prompt);
      await run.untilEvent("task.started");
      const started = run.of("task.started").at(-1)!;
      const isOver = () => run.of("task.ended").some(({ task }) => task === started.task);
      assert.ok(!isOver(), "the task of `scenarios.background` ended by itself");
      await run.session.send({ type: "stopTask", task: started.native! });
      const failure = await outcomeOf(() => run.until(isOver));
      const ended = run.of("task.ended").find(({ task }) => task === started.task);
      assertDeclared(
        adapter,
        "stopTasks",
        ended?.outcome === "stopped",
        failure ?? `it was ${ended?.outcome}`,
      );
    }),
};
