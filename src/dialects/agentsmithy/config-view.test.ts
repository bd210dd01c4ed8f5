/** What a patch of the config can ask for, however large it is. */
import { expect, test } from "vitest";
import { configView, listed, readPatch } from "./config-view.ts";

const view = configView({ agent: "mock", models: ["a", "b"], model: "a" });

test("what a client got may be sent back whole", () => {
  expect(readPatch(view.config, view)).toEqual({ workload: "a", refused: [], refusedCount: 0 });
});

test.each([
  [{ providers: { new: {} } }, "providers.new"],
  [{ providers: { mock: { api_key: "x" } } }, "providers.mock.api_key"],
  [{ providers: null }, "providers"],
  [{ embeddings: [] }, "embeddings"],
  [{ models: { agents: { universal: { workload: 1 } } } }, "models.agents.universal.workload"],
  [{ models: { agents: { inspector: { workload: "b" } } } }, "models.agents.inspector.workload"],
  [JSON.parse('{"__proto__": {"x": 1}}'), "__proto__"],
])("%j is refused by its path", (patch, path) => {
  expect(readPatch(patch, view)).toEqual({ refused: [path], refusedCount: 1 });
});

test("a patch of many long names is refused in a few words", () => {
  const long = "k".repeat(100_000);
  const patch = { [long]: Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`${at}`, 1])) };
  expect(readPatch(patch, view).refused).toEqual([`${"k".repeat(200)}…`]);
  const many = Object.fromEntries(Array.from({ length: 9000 }, (_, at) => [`${at}${long.slice(0, 300)}`, 1]));
  const read = readPatch(many, view);
  expect([read.refused.length, read.refusedCount]).toEqual([20, 9000]);
  expect(Math.max(...read.refused.map(({ length }) => length))).toBeLessThanOrEqual(201);
});

test("a list of names is as short", () => {
  expect(listed(["a", "b"])).toBe("a, b");
  expect(listed(Array.from({ length: 25 }, (_, at) => `${at}`))).toMatch(/, 19 and 5 more$/);
});
