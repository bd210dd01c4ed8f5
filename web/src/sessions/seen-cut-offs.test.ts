import { expect, test } from "vitest";
import { addSeen } from "./seen-cut-offs.ts";

test("an entry is added once, and the oldest of very many go", () => {
  const one = addSeen("", "1 a\n");
  expect(one).toBe("1 a\n");
  expect(addSeen(one, "1 a\n")).toBe(one);
  expect(addSeen(one, "2 a\n")).toBe("1 a\n2 a\n");
  let many = one;
  for (let at = 2; at <= 300; at += 1) many = addSeen(many, `${at} a\n`);
  const kept = many.trimEnd().split("\n");
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([200, "101 a", "300 a"]);
});
