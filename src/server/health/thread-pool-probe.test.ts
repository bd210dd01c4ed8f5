import { setImmediate } from "node:timers/promises";
import { expect, it } from "vitest";
import { ThreadPoolProbe } from "./thread-pool-probe.ts";

const PERIOD_MS = 2000;
const LIMIT_MS = 10_000;

/** A probe with a pool and timers that are driven by hand. */
function start() {
  const told: string[] = [];
  const asked: (() => void)[] = [];
  const timers = new Map<object, { act(): void; milliseconds: number }>();
  const probe = new ThreadPoolProbe({
    periodMs: PERIOD_MS,
    limitMs: LIMIT_MS,
    ask: (done) => asked.push(done),
    now: () => 0,
    setTimer(act, milliseconds) {
      const key = {};
      timers.set(key, { act, milliseconds });
      return () => timers.delete(key);
    },
    logger: {
      info: (_, message) => told.push(`info: ${message}`),
      error: (_, message) => told.push(`error: ${message}`),
    },
  });
  /** The only timer that runs has this length, and fires. */
  const fire = (milliseconds: number) => {
    expect([...timers.values()].map((timer) => timer.milliseconds)).toEqual([milliseconds]);
    const [timer] = timers;
    timers.delete(timer![0]);
    timer![1].act();
  };
  return { probe, told, asked, timers, fire };
}

it("a pool that does not answer in time is told once, with what to do, and again when it answers", async () => {
  const { probe, told, asked, timers, fire } = start();
  fire(PERIOD_MS);
  expect(asked).toHaveLength(1);
  expect(probe.state).toMatchObject({ is: "waiting", isLate: false });
  expect(probe.problem).toBeUndefined();
  fire(LIMIT_MS);
  await setImmediate();
  expect(probe.problem).toMatch(/stood still for \d+ seconds.*restart the daemon/);
  // One question at a time: more would only wait behind it.
  expect(timers.size).toBe(0);
  asked[0]!();
  expect(probe.problem).toBeUndefined();
  expect(probe.state).toEqual({ is: "answering" });
  expect(told).toEqual([
    expect.stringMatching(/^error: Work with files/),
    "info: work with files goes on again",
  ]);
  fire(PERIOD_MS);
  expect(asked).toHaveLength(2);
});

it("a pool that answers in time is told nothing of", () => {
  const { told, asked, fire } = start();
  for (let count = 1; count <= 3; count += 1) {
    fire(PERIOD_MS);
    expect(asked).toHaveLength(count);
    asked[count - 1]!();
  }
  expect(told).toEqual([]);
});

it("an answer that arrives in the same turn as the time limit, as after SIGCONT, is in time", async () => {
  const { probe, told, asked, fire } = start();
  fire(PERIOD_MS);
  fire(LIMIT_MS);
  asked[0]!();
  await setImmediate();
  expect(told).toEqual([]);
  expect(probe.state).toEqual({ is: "answering" });
});

it("a stopped probe asks no more", async () => {
  const { probe, told, asked, timers, fire } = start();
  fire(PERIOD_MS);
  fire(LIMIT_MS);
  probe.stop();
  await setImmediate();
  expect(told).toEqual([]);
  asked[0]!();
  expect(probe.state).toEqual({ is: "answering" });
  expect(timers.size).toBe(0);
});
