import { expect, it } from "vitest";
import { AcknowledgedHeads, type LogEnd } from "./acknowledged-heads.ts";

function end(head: number, createdAt = 1): LogEnd {
  return { head, createdAt };
}

it("tells once how many events are missing", () => {
  const heads = new AcknowledgedHeads();
  heads.note("s", end(10));
  heads.note("s", end(8));
  expect(heads.take("s", end(7))).toBe(3);
  expect(heads.take("s", end(7))).toBe(0);
});

it("misses nothing in a log that has grown, or that it does not know", () => {
  const heads = new AcknowledgedHeads();
  heads.note("s", end(10));
  expect(heads.take("s", end(12))).toBe(0);
  expect(heads.take("t", end(1))).toBe(0);
});

it("misses nothing in the log of a session that was created anew under the same id", () => {
  const heads = new AcknowledgedHeads();
  heads.note("s", end(10, 1));
  expect(heads.take("s", end(3, 2))).toBe(0);
  heads.note("t", end(10, 1));
  heads.note("t", end(4, 2));
  expect(heads.take("t", end(3, 2))).toBe(1);
});

it("forgets the oldest of very many", () => {
  const heads = new AcknowledgedHeads();
  for (let n = 0; n <= 10_000; n += 1) heads.note(`s${n}`, end(2));
  expect(heads.take("s0", end(1))).toBe(0);
  expect(heads.take("s1", end(1))).toBe(1);
});
