/** What an adapter tells about itself before anything is started. */
import assert from "node:assert/strict";
import { agentStatusSchema, capabilitiesSchema } from "../../../core/capability.ts";
import type { AdapterCheck } from "../adapter-contract.ts";

export const identity: Readonly<Record<string, AdapterCheck>> = {
  async "exposes a name"(contract) {
    const { name } = await contract.createAdapter();
    assert.match(name, /^[\w.-]+$/, "the name has to be a word that clients can give");
  },

  async "exposes all capabilities"(contract) {
    const { capabilities } = await contract.createAdapter();
    assert.deepEqual(capabilitiesSchema.strict().parse(capabilities), capabilities);
  },

  async "can be probed"(contract) {
    const adapter = await contract.createAdapter();
    const status = agentStatusSchema.strict().parse(await adapter.probe());
    assert.ok(status.installed, `the agent is not installed here: ${status.remedy}`);
  },
};
