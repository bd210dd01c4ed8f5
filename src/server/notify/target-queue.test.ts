import { expect, test } from "vitest";
import { until } from "../../testkit/until.ts";
import type { Notification } from "./notification.ts";
import { Receiver } from "./receiver.test-support.ts";
import { type SendOutcome, sendNotification } from "./send-notification.ts";
import { TargetQueue } from "./target-queue.ts";

const numbered = (at: number): Notification => ({ event: "turn_ended", at, session: "s", agent: "mock" });

/** A queue to a real receiver, and what became of what was added. */
function queueTo(receiver: Receiver, retryDelaysMs: readonly number[] = [1, 1, 1]) {
  const outcomes: (SendOutcome | { state: "dropped" })[] = [];
  const queue = new TargetQueue({
    ...{ target: receiver.target(), send: sendNotification, retryDelaysMs },
    onOutcome: (outcome) => outcomes.push(outcome),
  });
  return { queue, outcomes };
}

test("what fails is tried again under the same id, and the rest waits for it in order", async () => {
  await using receiver = await Receiver.start();
  receiver.answer = (response, count) => response.writeHead(count < 3 ? 503 : 200).end();
  const { queue, outcomes } = queueTo(receiver);
  for (const at of [1, 2, 3]) queue.add(numbered(at));
  expect(queue.size).toBe(3);
  await until(() => outcomes.length === 3);
  expect(receiver.contents().map(({ at }) => at)).toEqual([1, 1, 1, 2, 3]);
  const ids = receiver.received.map(({ headers }) => headers["x-interlingua-delivery"]);
  expect(new Set(ids.slice(0, 3)).size).toBe(1);
  expect(new Set(ids).size).toBe(3);
  expect(outcomes.map(({ state }) => state)).toEqual(["delivered", "delivered", "delivered"]);
  expect(queue.size).toBe(0);
});

test("it gives up after the last attempt, and goes on with the next", async () => {
  await using receiver = await Receiver.start();
  receiver.answer = (response) =>
    response.writeHead(JSON.parse(receiver.received.at(-1)!.body).at === 1 ? 500 : 200).end();
  const { queue, outcomes } = queueTo(receiver, [1]);
  queue.add(numbered(1));
  queue.add(numbered(2));
  await until(() => outcomes.length === 2);
  expect(outcomes.map(({ state }) => state)).toEqual(["failed", "delivered"]);
  expect(receiver.contents().map(({ at }) => at)).toEqual([1, 1, 2]);
});

test("a final refusal is not tried again", async () => {
  await using receiver = await Receiver.start();
  receiver.answer = (response) => response.writeHead(404).end();
  const { queue, outcomes } = queueTo(receiver);
  queue.add(numbered(1));
  await until(() => outcomes.length === 1);
  expect(receiver.received.length).toBe(1);
});

test("while a receiver sleeps no more than fits waits: the oldest go", async () => {
  await using receiver = await Receiver.start();
  const held: (() => void)[] = [];
  receiver.answer = (response) => {
    held.push(() => response.writeHead(200).end());
  };
  const { queue, outcomes } = queueTo(receiver);
  queue.add(numbered(0));
  await until(() => held.length === 1);
  for (let at = 1; at <= 150; at += 1) queue.add(numbered(at));
  expect(queue.size).toBe(100);
  expect(outcomes).toEqual(Array.from({ length: 51 }, () => ({ state: "dropped" })));
  receiver.answer = undefined;
  held[0]!();
  await until(() => queue.size === 0);
  const sent = receiver.contents().map(({ at }) => at);
  expect(sent).toEqual([0, ...Array.from({ length: 99 }, (_, index) => index + 52)]);
});

test("closed, it sends nothing more, not even what it waited to try again", async () => {
  await using receiver = await Receiver.start();
  receiver.answer = (response) => response.writeHead(500).end();
  const { queue, outcomes } = queueTo(receiver, [60_000]);
  queue.add(numbered(1));
  queue.add(numbered(2));
  await until(() => receiver.received.length === 1);
  queue.close();
  queue.add(numbered(3));
  expect(queue.size).toBe(0);
  expect(outcomes).toEqual([]);
  expect(receiver.received.length).toBe(1);
});
