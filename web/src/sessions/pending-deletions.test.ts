import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { PendingDeletions, UNDO_MS } from "./pending-deletions.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function start() {
  const sent: [readonly string[], boolean][] = [];
  let settle: (error?: Error) => void = () => {};
  const deletions = new PendingDeletions({
    send: (sessions, isLeaving) =>
      new Promise((done, fail) => {
        sent.push([sessions, isLeaving]);
        settle = (error) => (error ? fail(error) : done());
      }),
  });
  return { deletions, sent, settle: (error?: Error) => settle(error) };
}

test("nothing is sent before the time is over, and nothing at all after it was taken back", async () => {
  const { deletions, sent } = start();
  const undo = deletions.add(["a", "b"]);
  expect([...deletions.getSessions()]).toEqual(["a", "b"]);
  await vi.advanceTimersByTimeAsync(UNDO_MS - 1);
  expect(sent).toEqual([]);
  expect([undo(), undo()]).toEqual([true, false]);
  expect(deletions.getSessions().size).toBe(0);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  deletions.flush();
  expect(sent).toEqual([]);
});

test.each([undefined, new Error("no")])("it is hidden until the daemon has answered: %s", async (error) => {
  const { deletions, sent, settle } = start();
  let changes = 0;
  deletions.subscribe(() => {
    changes += 1;
  });
  const undo = deletions.add(["a"]);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(sent).toEqual([[["a"], false]]);
  expect(undo()).toBe(false);
  expect(deletions.getSessions().has("a")).toBe(true);
  settle(error);
  await vi.advanceTimersByTimeAsync(0);
  expect(deletions.getSessions().has("a")).toBe(false);
  expect(changes).toBe(2);
});

test("the page goes: what waits is sent at once, and once", async () => {
  const { deletions, sent } = start();
  deletions.add(["a"]);
  deletions.add(["a", "b"]);
  deletions.flush();
  deletions.flush();
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  expect(sent).toEqual([
    [["a"], true],
    [["b"], true],
  ]);
});
