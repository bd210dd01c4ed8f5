/** Settings that only one adapter understands. */
import assert from "node:assert/strict";
import { InterlinguaError } from "../../../core/error.ts";
import type { AdapterCheck } from "../adapter-contract.ts";
import { assertNoProcess, newSessionId, outcomeOf, withRun } from "../with-run.ts";

export const adapterOptions: Readonly<Record<string, AdapterCheck>> = {
  "takes the adapterOptions it documents": (contract) =>
    withRun(contract, (run) => run.untilEvent("session.attached"), {
      adapterOptions: { ...contract.connectOptions().adapterOptions, ...contract.adapterOptions },
    }),

  async "refuses adapterOptions it does not know"(contract) {
    const adapter = await contract.createAdapter();
    const sessionId = newSessionId();
    const strange = { adapterOptions: { noAdapterKnowsThis: true } };
    const error = await outcomeOf(() =>
      adapter.connect({ ...contract.connectOptions(), sessionId, ...strange }),
    );
    assert.ok(error, "an unknown option was passed over in silence");
    assert.ok(InterlinguaError.isInstance(error) && error.code === "invalid_request", String(error));
    await assertNoProcess(sessionId);
  },
};
