import { expect, it } from "vitest";
import { AcknowledgedHeads } from "./acknowledged-heads.ts";

it("tells once how many events are missing", () => {
  const heads = new AcknowledgedHeads();
  heads.note("s", 10);
  heads.note("s", 8);
  expect(heads.take("s", 7)).toBe(3);
  expect(heads.take("s", 7)).toBe(0);
});

it("misses nothing in a log that has grown, or that it does not know", () => {
  const heads = new AcknowledgedHeads();
  heads.note("s", 10);
  expect(heads.take("s", 12)).toBe(0);
  expect(heads.take("t", 1)).toBe(0);
});

it("forgets the oldest of very many", () => {
  const heads = new AcknowledgedHeads();
  for (let n = 0; n <= 10_000; n += 1) heads.note(`s${n}`, 2);
  expect(heads.take("s0", 1)).toBe(0);
  expect(heads.take("s1", 1)).toBe(1);
});
