import fc from "fast-check";
import { expect, test } from "vitest";
import { isOtherOrder, movedTo, neighbourAt, placeAt } from "./queue-order.ts";

test.each([
  [0, 2, ["b", "c", "a"], null],
  [2, 0, ["c", "a", "b"], "a"],
  [1, 1, ["a", "b", "c"], "c"],
])("from %i to %i", (from, to, order, neighbour) => {
  expect(movedTo(["a", "b", "c"], from, to)).toEqual(order);
  expect(neighbourAt(["a", "b", "c"], from, to)).toBe(neighbour);
});

test.each([
  ["abc", "abc", false],
  ["abc", "acb", true],
  ["abc", "ab", false],
  ["abc", "abd", false],
])("whether %s is %s in another order: %s", (ids, wanted, isOther) => {
  expect(isOtherOrder([...ids], [...wanted])).toBe(isOther);
});

test("a card takes the place of those whose middle it has passed", () => {
  const middles = [10, 30, 50];
  expect([0, 20, 40, 60].map((y) => placeAt(middles, 0, y))).toEqual([0, 0, 1, 2]);
  expect([0, 20, 40, 60].map((y) => placeAt(middles, 2, y))).toEqual([0, 1, 2, 2]);
});

test("what the daemon is told gives the order that is shown", () => {
  const lists = fc.uniqueArray(fc.string({ minLength: 1 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(lists, fc.nat(), fc.nat(), (messages, a, b) => {
      const [from, to] = [a % messages.length, b % messages.length];
      const moved = messages[from]!;
      const before = neighbourAt(messages, from, to);
      const others = messages.filter((message) => message !== moved);
      const told = others.toSpliced(before === null ? others.length : others.indexOf(before), 0, moved);
      expect(told).toEqual(movedTo(messages, from, to));
    }),
  );
});
