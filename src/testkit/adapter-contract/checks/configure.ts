/** Changing model and modes while the session is open. */
import assert from "node:assert/strict";
import type { BackendSession, Configurable } from "../../../core/adapter.ts";
import { PERMISSION_MODES } from "../../../core/capability.ts";
import type { AdapterCheck } from "../adapter-contract.ts";
import { assertDeclared, assertRefused, withRun } from "../with-run.ts";

export const configure: Readonly<Record<string, AdapterCheck>> = {
  "Configurable: the model can be changed, or it is said that it cannot": (contract) =>
    withRun(contract, async (run, adapter) => {
      const { model, prompt, holds } = contract.scenarios.model;
      if (!isConfigurable(run.session)) return assertRefused(run.session, { type: "configure", model });
      run.session.setModel(model);
      await run.turn(prompt);
      assertDeclared(adapter, "setModel", holds(run));
    }),

  "Configurable: each declared permission mode can be set": (contract) =>
    withRun(contract, async (run, adapter) => {
      for (const mode of contract.permissionModes ?? adapter.capabilities.permissionModes) {
        if (isConfigurable(run.session)) run.session.setPermissionMode(mode);
        else await run.session.send({ type: "configure", permissionMode: mode });
        await run.until(() => run.machine.state.permissionMode === mode);
      }
    }),

  "refuses permission modes it does not declare": (contract) =>
    withRun(contract, async (run, { capabilities }) => {
      const declared: readonly string[] = capabilities.permissionModes;
      for (const permissionMode of [...PERMISSION_MODES, "no-such-mode"]) {
        if (declared.includes(permissionMode)) continue;
        await assertRefused(run.session, { type: "configure", permissionMode });
      }
    }),

  "a session that bypasses permissions does not ask": (contract) => {
    const { prompt, isAllowed } = contract.scenarios.permission;
    return withBypass(contract, async (run) => {
      await run.turn(prompt);
      assert.deepEqual(run.of("ask.opened"), []);
      assert.ok(isAllowed(run), "what needed no permission was not done");
    });
  },

  "each declared mode can be set": (contract) =>
    withRun(contract, async (run, { capabilities }) => {
      for (const mode of capabilities.modes) {
        await run.session.send({ type: "configure", mode });
        await run.until(() => run.machine.state.mode === mode);
      }
    }),
};

/** Where there is no such mode, nothing is to be shown. */
async function withBypass(...[contract, act]: Parameters<typeof withRun>): Promise<void> {
  const { capabilities } = await contract.createAdapter();
  const modes = contract.permissionModes ?? capabilities.permissionModes;
  if (modes.includes("bypass")) await withRun(contract, act, { permissionMode: "bypass" });
}

function isConfigurable(session: BackendSession): session is BackendSession & Configurable {
  return "setModel" in session;
}
