import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { TimeSlices } from "./time-slices.ts";

test("of all that do long work one goes on in each turn of the event loop", async () => {
  const slices = new TimeSlices();
  const log: string[] = [];
  const works = ["a", "b", "c"].map(async (name) => {
    for (let round = 0; round < 2; round += 1) {
      await slices.next();
      log.push(name);
    }
  });
  let isDone = false;
  void Promise.all(works).then(() => {
    isDone = true;
  });
  let most = 0;
  while (!isDone) {
    const before = log.length;
    await setImmediate();
    most = Math.max(most, log.length - before);
  }
  expect(log).toEqual(["a", "b", "c", "a", "b", "c"]);
  expect(most).toBe(1);
});

test("small steps go on until the slice is over", async () => {
  const patient = new TimeSlices(Number.POSITIVE_INFINITY);
  expect([patient.pause(), patient.pause()]).toEqual([undefined, undefined]);
  const strict = new TimeSlices(0);
  expect(strict.pause()).toBeUndefined();
  await strict.pause();
  await setImmediate();
  expect(strict.pause()).toBeUndefined();
});
