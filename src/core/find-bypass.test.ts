import { expect, test } from "vitest";
import { findBypass, type WayOfWorking } from "./find-bypass.ts";

test.each([
  [{ permissionMode: "bypass" }, "permissionMode"],
  [{ permissionMode: "bypassPermissions" }, "permissionMode"],
  [{ mode: "yolo" }, "mode"],
  [{ mode: "bypassPermissions" }, "mode"],
  [{ mode: "full-access" }, "mode"],
  [{ mode: "agent-full-access" }, "mode"],
  [{ mode: "auto" }, "mode"],
  [{ settings: { sandbox: "dangerFullAccess" } }, "settings.sandbox"],
  [{ settings: { approval_policy: "never" } }, "settings.approval_policy"],
  [{ settings: { sandbox: false } }, "settings.sandbox"],
  [{ settings: { "auto-approve": true } }, "settings.auto-approve"],
  [{ settings: { effort: "high", mode: "YOLO" } }, "settings.mode"],
] as const)("%j: %s", (given, path) => {
  expect(findBypass(given)).toBe(path);
});

test.each<WayOfWorking>([
  {},
  { permissionMode: "default", mode: "build" },
  { permissionMode: "acceptEdits" },
  { mode: "autoEdit" },
  { mode: "plan", settings: { effort: "none", sandbox: "workspaceWrite", verbose: false, compact: true } },
  { settings: { effort: "auto", bypass: null } },
])("%j asks as before", (given) => {
  expect(findBypass(given)).toBeUndefined();
});
