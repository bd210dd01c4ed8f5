import { expect, test } from "vitest";
import { type Selection, toggleChosen } from "./selection.ts";

const order = ["a", "b", "c", "d"];

function press(...presses: string[]): string[] {
  const none: Selection = { chosen: new Set() };
  const { chosen } = presses.reduce(
    (selection, one) => toggleChosen(selection, one.slice(-1), { order, isRange: one.startsWith("shift ") }),
    none,
  );
  return order.filter((id) => chosen.has(id));
}

test("a press chooses, another one no longer", () => {
  expect(press("a", "c")).toEqual(["a", "c"]);
  expect(press("a", "c", "a")).toEqual(["c"]);
});

test("with shift all between get the state of the last, in both directions", () => {
  expect(press("b", "shift d")).toEqual(["b", "c", "d"]);
  expect(press("d", "shift b")).toEqual(["b", "c", "d"]);
  expect(press("a", "shift d", "shift b")).toEqual(["a"]);
  expect(press("shift c")).toEqual(["c"]);
});

test("a range from a session that is gone is the one that was pressed", () => {
  const selection = { chosen: new Set(["gone"]), last: "gone" };
  expect([...toggleChosen(selection, "b", { order, isRange: true }).chosen]).toEqual(["gone", "b"]);
});
