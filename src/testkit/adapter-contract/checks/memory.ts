/** Conversations that outlive a process, are copied, or forget their end. */
import assert from "node:assert/strict";
import type { BackendAdapter, Forkable } from "../../../core/adapter.ts";
import { InterlinguaError } from "../../../core/error.ts";
import type { RunOptions, SessionRun } from "../../session-run.ts";
import type { AdapterCheck, AdapterContract } from "../adapter-contract.ts";
import { assertDeclared, assertRefused, closeRun, openRun, outcomeOf, withRun } from "../with-run.ts";

export const memory: Readonly<Record<string, AdapterCheck>> = {
  async "resumes a conversation exactly where that is declared"(contract) {
    const adapter = await contract.createAdapter();
    const first = await openRun(contract, adapter);
    await first.turn(contract.scenarios.memory.told);
    await closeRun(contract, first);
    const { agentSessionId } = first.machine.state;
    assert.ok(!contract.scenarios.memory.holds(first), "the scenario holds before anything is recalled");
    const { sessionId } = first.session;
    await assertRemembered(contract, adapter, "resume", { agentSessionId, sessionId, after: first });
  },

  async "rejects a conversation that never was"(contract) {
    const adapter = await contract.createAdapter();
    const agentSessionId = "00000000-0000-4000-8000-000000000000";
    const error = await outcomeOf(() => openRun(contract, adapter, { resume: true, agentSessionId }));
    assert.ok(error instanceof Error, "a conversation was taken up that does not exist");
    if (!adapter.capabilities.resume) return;
    const code = InterlinguaError.isInstance(error) ? error.code : error.message;
    assert.equal(code, "conversation_lost", "a conversation that is gone for good would be asked for again");
  },

  "forgets the end of a conversation, or says that it cannot": (contract) =>
    withRun(contract, async (run, adapter) => {
      const { told, prompt, holds } = contract.scenarios.memory;
      if (adapter.rewindsByFork) return assertForgets(contract, run, adapter);
      await run.turn(told);
      const before = run.of("prompt.accepted")[0]!.message;
      if (!adapter.capabilities.rewind) return assertRefused(run.session, { type: "rewind", before });
      await run.session.send({ type: "rewind", before });
      await run.turn(prompt);
      assertDeclared(adapter, "rewind", !holds(run));
    }),

  "copies a conversation exactly where that is declared": (contract) =>
    withRun(contract, async (run, adapter) => {
      if (!("fork" in run.session)) return;
      await run.turn(contract.scenarios.memory.told);
      const copy = await (run.session as unknown as Forkable).fork();
      assert.notEqual(copy, run.machine.state.agentSessionId);
      await assertRemembered(contract, adapter, "fork", { agentSessionId: copy });
    }),

  "begins as a copy of a conversation where that is declared": (contract) =>
    withRun(contract, async (run, adapter) => {
      if (!adapter.capabilities.fork) return;
      await run.turn(contract.scenarios.memory.told);
      const { agentSessionId } = run.machine.state;
      const fork = { agentSessionId: agentSessionId!, after: run.of("turn.ended").at(-1)?.native };
      await assertRemembered(contract, adapter, "fork", { resume: false, fork });
    }),
};

/** It begins as a copy of what it knew before it was told. */
async function assertForgets(
  contract: AdapterContract,
  run: SessionRun,
  adapter: BackendAdapter,
): Promise<void> {
  const { told, prompt, holds } = contract.scenarios.memory;
  await run.turn(prompt);
  const agentSessionId = run.machine.state.agentSessionId!;
  const { native: after } = run.of("turn.ended").at(-1)!;
  await run.turn(told);
  const before = run.of("prompt.received").at(-1)?.native;
  await assertRefused(run.session, { type: "rewind", before: run.of("prompt.accepted").at(-1)!.message });
  const fork = { agentSessionId, after, before };
  const copy = await openRun(contract, adapter, { sessionId: `${run.session.sessionId}-copy`, fork });
  await copy.turn(prompt);
  await closeRun(contract, copy);
  assertDeclared(adapter, "rewind", !holds(copy), `it said "${copy.text}"`);
}

/** Another process can take the conversation up and knows what was said in it, exactly where that is declared. */
async function assertRemembered(
  contract: AdapterContract,
  adapter: BackendAdapter,
  capability: "resume" | "fork",
  taken: Partial<RunOptions>,
): Promise<void> {
  const { prompt, holds } = contract.scenarios.memory;
  let run: SessionRun;
  try {
    run = await openRun(contract, adapter, { resume: true, ...taken });
  } catch (error) {
    return assertDeclared(adapter, capability, false, error);
  }
  await run.turn(prompt);
  await closeRun(contract, run);
  assertDeclared(adapter, capability, holds(run), `it said "${run.text}"`);
  assert.ok(adapter.capabilities[capability], "connect() has to reject a conversation it cannot take up");
}
