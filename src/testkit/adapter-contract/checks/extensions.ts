/** The optional interfaces of a session, which clients find at run time by looking for their methods. */
import assert from "node:assert/strict";
import type { AdapterCheck } from "../adapter-contract.ts";
import { demandMethod, withRun } from "../with-run.ts";

export const extensions: Readonly<Record<string, AdapterCheck>> = {
  'runtime narrowing: "interrupt" in session': (contract) =>
    withRun(contract, async ({ session }) => {
      if (!("interrupt" in session)) return;
      assert.equal(typeof session.interrupt, "function");
    }),

  'runtime narrowing: "setModel" in session': (contract) =>
    withRun(contract, async ({ session }, { capabilities }) => {
      demandMethod(session, "setModel", capabilities.setModel);
      demandMethod(session, "setPermissionMode", capabilities.setModel);
    }),

  "runtime narrowing: permissions, steering and copying": (contract) =>
    withRun(contract, async ({ session }, { capabilities }) => {
      demandMethod(session, "permissionRequests", capabilities.permissions);
      demandMethod(session, "respondToPermission", capabilities.permissions);
      demandMethod(session, "steer", capabilities.steer);
      demandMethod(session, "fork", capabilities.fork);
    }),
};
