/** The optional interfaces of a session, which clients find at run time by looking for their methods. */
import assert from "node:assert/strict";
import type { AdapterCheck } from "../adapter-contract.ts";
import { assertMethod, withRun } from "../with-run.ts";

export const extensions: Readonly<Record<string, AdapterCheck>> = {
  'runtime narrowing: "interrupt" in session': (contract) =>
    withRun(contract, async ({ session }) => {
      if (!("interrupt" in session)) return;
      assert.equal(typeof session.interrupt, "function");
    }),

  'runtime narrowing: "setModel" in session': (contract) =>
    withRun(contract, async ({ session }, { capabilities }) => {
      assertMethod(session, "setModel", capabilities.setModel);
      assertMethod(session, "setPermissionMode", capabilities.setModel);
    }),

  "runtime narrowing: permissions, steering and copying": (contract) =>
    withRun(contract, async ({ session }, { capabilities }) => {
      assertMethod(session, "permissionRequests", capabilities.permissions);
      assertMethod(session, "respondToPermission", capabilities.permissions);
      assertMethod(session, "steer", capabilities.steer);
      // Some can only begin as a copy.
      if ("fork" in session) assertMethod(session, "fork", capabilities.fork);
    }),
};
