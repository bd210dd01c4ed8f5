import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { Admission } from "./admission.ts";

test("of thousands that come at once a few begin in each turn of the event loop, in their order", async () => {
  const admission = new Admission(1000);
  const begun: number[] = [];
  for (let n = 0; n < 100; n += 1) {
    admission.add(() => {
      begun.push(n);
      return true;
    });
  }
  let most = begun.length;
  while (admission.waiting > 0) {
    const before = begun.length;
    await setImmediate();
    most = Math.max(most, begun.length - before);
  }
  expect(begun).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(most).toBe(8);
});

test("who has left takes no place of a batch", async () => {
  const admission = new Admission(1000);
  const begun: number[] = [];
  for (let n = 0; n < 8; n += 1) admission.add(() => true);
  for (let n = 0; n < 100; n += 1) admission.add(() => n >= 90 && begun.push(n) > 0);
  await setImmediate();
  expect(begun).toEqual([90, 91, 92, 93, 94, 95, 96, 97]);
});

test("beyond the limit nothing waits, and there is room again later", async () => {
  const admission = new Admission(2);
  const accepted = Array.from({ length: 11 }, () => admission.add(() => true));
  expect(accepted).toEqual([...Array(10).fill(true), false]);
  await setImmediate();
  expect(admission.waiting).toBe(0);
  expect(admission.add(() => true)).toBe(true);
});

test("work that throws keeps nothing behind it from beginning", () => {
  const turns: (() => void)[] = [];
  const turn = vi
    .spyOn(globalThis, "setImmediate")
    .mockImplementation(((act: () => void) => turns.push(act)) as never);
  onTestFinished(() => turn.mockRestore());
  const admission = new Admission(1000);
  const begun: string[] = [];
  for (let n = 0; n < 8; n += 1) admission.add(() => true);
  admission.add(() => {
    throw new Error("on purpose");
  });
  admission.add(() => begun.push("next") > 0);
  expect(() => turns.shift()!()).toThrow("on purpose");
  expect(begun).toEqual([]);
  turns.shift()!();
  expect(begun).toEqual(["next"]);
});
