import { expect, test } from "vitest";
import { listedSession } from "./listed-session.test-support.ts";
import { addSeen, unseenEnding } from "./unseen-endings.ts";

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

test("what was cut off or failed is unseen until it is in the list, and not while it goes on", () => {
  const failed = listedSession("f", { status: "failed", updatedAt: 5 });
  const cut = listedSession("c", { cutOffAt: 3, updatedAt: 9 });
  expect([failed, cut, listedSession("i")].map((one) => unseenEnding("", one, 10))).toEqual([
    "failed",
    "cut off",
    undefined,
  ]);
  expect([failed, cut].map((one) => unseenEnding("5 f\n3 c\n", one, 10))).toEqual([undefined, undefined]);
  expect(unseenEnding("", { ...cut, status: "running" }, 10)).toBeUndefined();
  const weekLater = 7 * 24 * 60 * 60 * 1000;
  expect([failed, cut].map((one) => unseenEnding("", one, weekLater))).toEqual([undefined, undefined]);
});
