import { describe, expect, test } from "vitest";
import { type AskingAgent, changeAsks, sessionAsks, type WayOfWorking } from "./asks-permission.ts";

const capabilities = { permissions: true, slashCommands: true };
const ANY: AskingAgent = { capabilities };

const REVIEWED: AskingAgent = {
  capabilities,
  asking: {
    unset: "yes",
    permissionModes: { default: "yes", bypass: "no" },
    modes: { careful: "yes", auto: "yes", fast: "no", own: "unknown" },
    settings: { effort: "yes", approval: { ask: "yes", never: "no" }, provider: { robot: "no", "*": "yes" } },
    unaskedOption: ({ force }) => (force ? "options.force" : undefined),
  },
};

const setting = (id: string, value: string | boolean, more: object = {}) => ({
  id,
  name: id,
  value,
  ...more,
});

describe("an agent nobody has reviewed", () => {
  test.each<[WayOfWorking, string]>([
    [{ mode: "yolo" }, "mode"],
    [{ mode: "agent-full-access" }, "mode"],
    [{ mode: "auto" }, "mode"],
    [{ mode: "x", modes: [{ id: "x", description: "Auto-approves all actions" }] }, "mode"],
    [{ permissionMode: "bypassPermissions" }, "permissionMode"],
    [{ settings: [setting("sandbox", "dangerFullAccess")] }, "settings.sandbox"],
    [{ settings: [setting("approval_policy", "never")] }, "settings.approval_policy"],
    [{ settings: [setting("sandbox", false)] }, "settings.sandbox"],
    [{ settings: [setting("auto-approve", true)] }, "settings.auto-approve"],
    [
      {
        settings: [setting("x", "1", { choices: [{ id: "1", description: "Runs tools without asking" }] })],
      },
      "settings.x",
    ],
  ])("does not ask by its own words: %j", (way, path) => {
    expect(sessionAsks(ANY, way)).toMatchObject({ asks: "no", path });
  });

  test.each<WayOfWorking>([
    {},
    { mode: "plan" },
    { mode: "ask", modes: [{ id: "ask", description: "Always asks before everything" }] },
    { permissionMode: "default" },
    { mode: "ask", settings: [setting("verbose", false)] },
  ])("is never known to ask by words: %j", (way) => {
    expect(sessionAsks(ANY, way).asks).toBe("unknown");
  });
});

test("a setting that is no matter of permissions is known by its category", () => {
  const wanted = { settings: { effort: "high" } };
  expect(changeAsks(ANY, {}, wanted)).toMatchObject({ asks: "unknown", path: "settings.effort" });
  const settings = [setting("effort", "low", { category: "thought_level" })];
  expect(changeAsks(ANY, { settings }, wanted).asks).toBe("yes");
  expect(changeAsks(ANY, { settings }, { settings: { effort: null, approval: null } }).asks).toBe("yes");
});

test.each<[WayOfWorking, string, string?]>([
  [{}, "yes"],
  // What was reviewed wins over words.
  [{ mode: "auto" }, "yes", "mode"],
  [{ mode: "fast" }, "no", "mode"],
  [{ mode: "new" }, "unknown", "mode"],
  [{ mode: "own" }, "unknown", "mode"],
  [{ mode: "own", permissionMode: "default" }, "yes"],
  [{ mode: "fast", permissionMode: "default" }, "no", "mode"],
  [{ mode: "careful", permissionMode: "bypass" }, "no", "permissionMode"],
  [{ mode: "careful", settings: [setting("approval", "never")] }, "no", "settings.approval"],
  [{ mode: "careful", settings: [setting("approval", "sometimes")] }, "unknown", "settings.approval"],
  [{ mode: "careful", settings: [setting("provider", "robot")] }, "no", "settings.provider"],
  [{ mode: "careful", settings: [setting("provider", "other"), setting("effort", "none")] }, "yes"],
  [{ mode: "careful", settings: [setting("new", "x")] }, "unknown", "settings.new"],
  [{ mode: "careful", options: { force: true } }, "no", "options.force"],
])("a reviewed agent with %j: %s", (way, asks, path) => {
  const answer = sessionAsks(REVIEWED, way);
  expect(answer.asks).toBe(asks);
  if (path !== undefined) expect(answer.path).toBe(path);
});

test("names that every object has are no reviewed modes or settings", () => {
  expect(sessionAsks(REVIEWED, { mode: "constructor" }).asks).toBe("unknown");
  expect(sessionAsks(REVIEWED, { settings: [setting("__proto__", "toString")] }).asks).toBe("unknown");
});

test("an agent that never asks does so in no mode", () => {
  const never = { ...REVIEWED, capabilities: { ...capabilities, permissions: false } };
  expect(sessionAsks(never, { mode: "careful" })).toEqual({ asks: "no", reason: "this agent never asks" });
  expect(changeAsks(never, {}, { mode: "careful" })).toMatchObject({ asks: "no", path: "mode" });
  expect(changeAsks(never, {}, {}).asks).toBe("yes");
});
