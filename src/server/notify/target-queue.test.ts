import { describe, expect, test } from "vitest";
import { until } from "../../testkit/until.ts";
import type { Notification } from "./notification.ts";
import { ManualClock } from "./queue-clock.test-support.ts";
import { Receiver } from "./receiver.test-support.ts";
import { type SendOutcome, sendNotification } from "./send-notification.ts";
import { type NotificationOutcome, TargetQueue } from "./target-queue.ts";

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;

const done = (at: number): Notification => ({ event: "turn_ended", at, session: "s", agent: "mock" });
const ask = (at: number): Notification => ({
  ...{ event: "ask", at, session: "s", agent: "mock" },
  ask: { id: `a${at}`, kind: "permission", title: "Run it" },
});

/** A queue to a real receiver with a clock that only the test moves, and what became of what was added. */
class World {
  readonly clock = new ManualClock();
  readonly outcomes: NotificationOutcome[] = [];
  readonly attempts: SendOutcome[] = [];
  readonly queue: TargetQueue;
  readonly receiver: Receiver;

  constructor(receiver: Receiver) {
    this.receiver = receiver;
    this.queue = new TargetQueue({
      ...{ target: receiver.target(), send: sendNotification, clock: this.clock },
      onOutcome: (outcome) => this.outcomes.push(outcome),
      onAttempt: (outcome) => this.attempts.push(outcome),
    });
  }

  /** Of what arrived, in order. */
  get arrived(): unknown[] {
    return this.receiver.contents().map(({ at }) => at);
  }

  deliveries(at: number): unknown[] {
    const meant = this.receiver.received.filter(({ body }) => JSON.parse(body).at === at);
    return meant.map(({ headers }) => headers["x-interlingua-delivery"]);
  }

  /** Lets a receiver that answers at once have `count` more attempts, at the times at which they are due. */
  async attempt(count: number, afterMs: number): Promise<void> {
    const wanted = this.attempts.length + count;
    this.clock.advance(afterMs);
    await until(() => this.attempts.length === wanted);
  }

  answer(status: (at: number) => number): void {
    this.receiver.answer = (response) =>
      response.writeHead(status(JSON.parse(this.receiver.received.at(-1)!.body).at)).end();
  }
}

describe("a notification that fails delays no other", () => {
  test("one failed turn_ended held a fresh ask back until its last attempt", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    world.answer((at) => (at === 1 ? 503 : 204));
    world.queue.add(done(1));
    await until(() => world.attempts.length === 1);
    world.queue.add(ask(2));
    world.queue.add(done(3));
    await until(() => world.attempts.length === 3);
    expect(world.arrived.slice(0, 1)).toEqual([1]);
    expect(world.arrived.slice(1).sort()).toEqual([2, 3]);
    expect(world.outcomes).toEqual(["delivered", "delivered"]);
    expect(world.queue.size).toBe(1);
  });

  test("requests that are never answered let others start beside them, and an ask at once", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    receiver.answer = () => {};
    for (let at = 1; at <= 20; at += 1) world.queue.add(done(at));
    await until(() => receiver.received.length === 1);
    world.queue.add(ask(100));
    await until(() => receiver.received.length === 2);
    expect(world.arrived).toEqual([1, 100]);
    // Only as many as fit, for however long they take.
    for (let second = 1; second <= 30; second += 1) world.clock.advance(SECOND_MS);
    await until(() => receiver.received.length === 3);
    for (let at = 101; at <= 110; at += 1) {
      world.queue.add(ask(at));
      await Promise.resolve();
      world.clock.advance(SECOND_MS);
    }
    await until(() => receiver.received.length === 6);
    expect(world.arrived.toSorted((a, b) => Number(a) - Number(b))).toEqual([1, 2, 100, 101, 102, 103]);
    world.queue.close();
  });

  test("what fails is tried again under the same id, and given up after the last attempt", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    world.answer(() => 500);
    world.queue.add(done(1));
    await until(() => world.attempts.length === 1);
    for (const seconds of [1, 5, 30, 120]) {
      world.clock.advance(seconds * SECOND_MS - 1);
      expect(world.clock.timers).toBe(1);
      await world.attempt(1, 1);
    }
    expect(world.outcomes).toEqual(["failed"]);
    expect(world.deliveries(1)).toHaveLength(5);
    expect(new Set(world.deliveries(1)).size).toBe(1);
    expect(world.clock.timers).toBe(0);
  });

  test("a final refusal is not tried again", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    world.answer(() => 404);
    world.queue.add(ask(1));
    await until(() => world.outcomes.length === 1);
    expect(world.outcomes).toEqual(["failed"]);
    expect(world.clock.timers).toBe(0);
  });
});

describe("order", () => {
  test("asks go first, the rest in the order in which it happened", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    const held: (() => void)[] = [];
    receiver.answer = (response) => held.push(() => response.writeHead(204).end());
    for (const next of [done(1), done(2), ask(3), done(4), ask(5)]) world.queue.add(next);
    await until(() => held.length === 2);
    expect(world.arrived).toEqual([3, 1]);
    receiver.answer = undefined;
    for (const answer of held) answer();
    await until(() => world.queue.size === 0);
    const arrived = world.arrived as number[];
    expect(arrived.filter((at) => at === 3 || at === 5)).toEqual([3, 5]);
    expect(arrived.filter((at) => at !== 3 && at !== 5)).toEqual([1, 2, 4]);
  });

  test("of retries that are due, asks go first", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    world.answer(() => 503);
    for (const next of [done(1), done(2), ask(3)]) world.queue.add(next);
    await until(() => world.attempts.length === 3);
    world.answer(() => 204);
    await world.attempt(3, SECOND_MS);
    expect(world.arrived.slice(3)).toEqual([3, 1, 2]);
  });
});

describe("a target that is down", () => {
  test("for an hour, and comes back: nothing piles up, asks that are still open arrive once, and new ones at once", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    world.answer(() => 503);
    world.queue.add(ask(1));
    world.queue.add(done(2));
    await until(() => world.attempts.length === 2);
    for (const seconds of [1, 5, 30, 120]) await world.attempt(2, seconds * SECOND_MS);
    expect(world.outcomes).toEqual(["failed"]);
    for (let round = 1; round <= 5; round += 1) await world.attempt(1, 10 * MINUTE_MS);
    expect(world.queue.size).toBe(1);
    world.answer(() => 204);
    world.queue.add(ask(3));
    await until(() => world.outcomes.length === 2);
    expect(world.arrived.at(-1)).toBe(3);
    await world.attempt(1, 10 * MINUTE_MS);
    expect(world.outcomes).toEqual(["failed", "delivered", "delivered"]);
    expect(world.arrived.at(-1)).toBe(1);
    expect(new Set(world.deliveries(1)).size).toBe(1);
    expect(world.clock.timers).toBe(0);
    world.clock.advance(60 * MINUTE_MS);
    expect(world.queue.size).toBe(0);
  });

  test("for longer than an hour: its asks are given up, too", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    world.answer(() => 503);
    world.queue.add(ask(1));
    await until(() => world.attempts.length === 1);
    while (world.outcomes.length === 0) await world.attempt(1, 10 * MINUTE_MS);
    expect(world.outcomes).toEqual(["failed"]);
    expect(world.attempts).toHaveLength(11);
  });

  test("no more than fits waits: the oldest go, asks last", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    receiver.answer = () => {};
    world.queue.add(ask(1));
    world.queue.add(ask(2));
    await until(() => receiver.received.length === 1);
    for (let at = 3; at <= 152; at += 1) world.queue.add(done(at));
    expect(world.queue.size).toBe(100);
    await until(() => receiver.received.length === 2);
    expect(world.outcomes).toEqual(Array.from({ length: 52 }, () => "dropped"));
    for (let at = 200; at < 300; at += 1) world.queue.add(ask(at));
    expect(world.queue.size).toBe(100);
    world.queue.close();
  });

  test("a hundred that failed are tried again two at a time", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    world.answer(() => 503);
    for (let at = 1; at <= 100; at += 1) world.queue.add(done(at));
    await until(() => world.attempts.length === 100);
    receiver.answer = () => {};
    for (let second = 1; second <= 60; second += 1) world.clock.advance(SECOND_MS);
    await until(() => receiver.received.length === 102);
    world.queue.add(ask(200));
    await until(() => receiver.received.length === 103);
    expect(world.arrived.at(-1)).toBe(200);
    world.queue.close();
  });
});

describe("an ask that is settled", () => {
  test("is not sent when it was answered before its turn came", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    world.queue.add(ask(1));
    world.queue.settleAsk("s", "a1");
    world.queue.add(ask(2));
    await until(() => world.outcomes.length === 2);
    expect(world.arrived).toEqual([2]);
    expect(world.outcomes).toEqual(["settled", "delivered"]);
  });

  test("is not tried again when it was answered between two attempts", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    world.answer(() => 503);
    world.queue.add(ask(1));
    world.queue.add({ ...ask(1), session: "other" });
    await until(() => world.attempts.length === 2);
    world.queue.settleAsk("s", "a1");
    expect(world.outcomes).toEqual(["settled"]);
    world.answer(() => 204);
    await world.attempt(1, SECOND_MS);
    expect(receiver.contents().at(-1)).toMatchObject({ session: "other" });
    expect(world.queue.size).toBe(0);
  });

  test("is not tried again when it was answered during its retry", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    world.answer(() => 503);
    world.queue.add(ask(1));
    await until(() => world.attempts.length === 1);
    let fail = () => {};
    receiver.answer = (response) => {
      fail = () => response.writeHead(503).end();
    };
    world.clock.advance(SECOND_MS);
    await until(() => receiver.received.length === 2);
    world.queue.settleAsk("s", "a1");
    world.queue.settleAsk("s", "a1");
    expect(world.outcomes).toEqual([]);
    fail();
    await until(() => world.outcomes.length === 1);
    expect(world.outcomes).toEqual(["settled"]);
    expect(world.clock.timers).toBe(0);
  });

  test("goes with its session, which leaves the ends of turns", async () => {
    await using receiver = await Receiver.start();
    const world = new World(receiver);
    world.queue.add(ask(1));
    world.queue.add(done(2));
    world.queue.settleSession("s");
    await until(() => world.outcomes.length === 2);
    expect(world.arrived).toEqual([2]);
  });
});

test("closed, it ends its requests and sends nothing more, not even what it waited to try again", async () => {
  await using receiver = await Receiver.start();
  const world = new World(receiver);
  world.answer(() => 500);
  world.queue.add(done(1));
  await until(() => world.attempts.length === 1);
  let isEnded = false;
  receiver.answer = (response) => response.on("close", () => (isEnded = true));
  world.queue.add(ask(2));
  await until(() => receiver.received.length === 2);
  world.queue.close();
  world.queue.add(done(3));
  await until(() => isEnded);
  world.clock.advance(60 * MINUTE_MS);
  expect(world.queue.size).toBe(0);
  expect(world.outcomes).toEqual([]);
  expect(receiver.received).toHaveLength(2);
});
