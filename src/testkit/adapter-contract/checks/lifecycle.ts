/** Connecting, speaking and closing. */
import assert from "node:assert/strict";
import type { AdapterCheck } from "../adapter-contract.ts";
import {
  assertNoProcess,
  closeRun,
  closeRunBefore,
  newSessionId,
  openRun,
  outcomeOf,
  withRun,
} from "../with-run.ts";

export const lifecycle: Readonly<Record<string, AdapterCheck>> = {
  "connects and returns a session with the given id": (contract) => {
    const sessionId = newSessionId();
    return withRun(
      contract,
      async (run) => {
        assert.equal(run.session.sessionId, sessionId);
        await run.untilEvent("session.attached");
      },
      { sessionId },
    );
  },

  "sends a prompt and receives an answer": (contract) =>
    withRun(contract, async (run) => {
      const { prompt, holds } = contract.scenarios.answer;
      const { outcome } = await run.turn(prompt);
      assert.equal(outcome, "completed");
      assert.ok(holds(run), `"${prompt}" was answered with: ${run.text}`);
      assert.ok(
        run.machine.state.agentSessionId,
        "no id of the conversation came: report it in session.attached, or supply `agentSessionId` of the session",
      );
    }),

  "close() ends the stream with the exit, more than once, and in the middle of a turn": (contract) =>
    withRun(contract, async (run) => {
      await run.prompt(contract.scenarios.endless.prompt);
      await run.untilEvent("text.delta");
      await closeRun(contract, run);
      await run.session.close();
      const last = run.outputs.at(-1)?.raw;
      assert.equal(last?.direction, "process", "the last record has to be that of the process");
      assert.equal(last.data.event, "exit");
    }),

  "send() throws at once after close()": (contract) =>
    withRun(contract, async (run) => {
      await run.close();
      const send = () => {
        // A rejection comes too late: who sends without waiting would not see it.
        run.session.send({ type: "interrupt" }).catch(() => {});
      };
      assert.throws(send, /closed|ended|exited/i, "send() has to throw, and say that the session is closed");
    }),

  async "connect() rejects on failure and leaves no process"(contract) {
    const { adapter = await contract.createAdapter(), options } = contract.failure();
    const sessionId = newSessionId();
    const connect = () => adapter.connect({ ...contract.connectOptions(), sessionId, ...options });
    const error = await outcomeOf(connect);
    assert.ok(error instanceof Error, "a session came of a connection that cannot work");
    assert.notEqual(error.message, "", "the error has to say what is wrong");
    await assertNoProcess(sessionId);
  },

  async "supports several sessions at once"(contract) {
    const { answer, stream } = contract.scenarios;
    const adapter = await contract.createAdapter();
    const [one, other] = await Promise.all([openRun(contract, adapter), openRun(contract, adapter)]);
    await Promise.all([one.turn(answer.prompt), other.turn(stream.prompt)]);
    await Promise.all([closeRunBefore(contract, one), closeRunBefore(contract, other)]);
    for (const { session } of [one, other]) await assertNoProcess(session.sessionId);
    assert.ok(answer.holds(one));
    assert.ok(!answer.holds(other), "one session got what was meant for the other");
    assert.equal(one.of("turn.ended").length + other.of("turn.ended").length, 2);
    assert.notEqual(one.machine.state.agentSessionId, other.machine.state.agentSessionId);
  },

  async "closing one session does not affect another"(contract) {
    const { answer, endless } = contract.scenarios;
    const adapter = await contract.createAdapter();
    const [one, other] = await Promise.all([openRun(contract, adapter), openRun(contract, adapter)]);
    await one.prompt(endless.prompt);
    await other.turn(answer.prompt);
    await closeRunBefore(contract, one);
    const { outcome } = await other.turn(answer.prompt);
    await closeRun(contract, other);
    await assertNoProcess(one.session.sessionId);
    assert.equal(outcome, "completed");
  },
};
