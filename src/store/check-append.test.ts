import { expect, test } from "vitest";
import type { SessionAppend } from "../core/store.ts";
import { checkAppend, checkEntries } from "./check-append.ts";

function append(count: number): SessionAppend {
  const events = Array.from({ length: count }, (_, index) => ({ seq: index + 1, json: "{}" }));
  return { session: "a", events, raws: [], row: { id: "a", head: count, rawHead: 0 } } as never;
}

test("a fork of half a million events is checked in steps", () => {
  expect([...checkEntries(append(500_000))]).toHaveLength(100);
  expect([...checkEntries(append(100))]).toHaveLength(0);
});

test("an event out of order, a line break and a log that ends elsewhere are refused", () => {
  const stored = { head: 0, rawHead: 0 };
  expect(() => checkAppend(append(3), stored)).not.toThrow();
  expect(() => checkAppend(append(3), { head: 1, rawHead: 0 })).toThrow("event 1 does not follow 1");
  expect(() => checkAppend(append(3), { head: 0, rawHead: 2 })).toThrow("raw record 1 does not follow 2");
  const broken = append(3);
  (broken.events as unknown[])[1] = { seq: 2, json: "{\n}" };
  expect(() => checkAppend(broken, stored)).toThrow("line break");
  (broken.events as unknown[])[1] = { seq: 5, json: "{}" };
  expect(() => checkAppend(broken, stored)).toThrow("event 5 does not follow 1");
  const longer = append(3);
  Object.assign(longer.row, { head: 4 });
  expect(() => checkAppend(longer, stored)).toThrow("does not follow");
});
