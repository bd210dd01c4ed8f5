import { expect, test } from "vitest";
import { restoredChanges } from "./restored-changes.ts";

const CHANGES = ["a", "b", "c"].map((path) => ({ path }));

test("an event that names what went back is believed, also beside an error", () => {
  expect(restoredChanges(CHANGES, { restored: ["b"], kept: ["a"] })).toEqual([{ path: "b" }]);
  expect(restoredChanges(CHANGES, { restored: ["a", "b", "c"], error: "at the end" })).toEqual(CHANGES);
  expect(restoredChanges(CHANGES, { restored: [], error: "damaged" })).toEqual([]);
});

test("without names all went back but what was kept, and after an error nothing is taken for done", () => {
  expect(restoredChanges(CHANGES, {})).toEqual(CHANGES);
  expect(restoredChanges(CHANGES, { kept: ["a", ".restore-1.old"] })).toEqual([{ path: "b" }, { path: "c" }]);
  expect(restoredChanges(CHANGES, { error: "damaged" })).toEqual([]);
});
