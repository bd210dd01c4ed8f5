import { expect, test } from "vitest";
import { ManualPause } from "../testkit/manual-pause.ts";
import { PacedChanges, type SessionChange } from "./paced-changes.ts";
import type { SessionSummary } from "./session-summary.ts";

function start() {
  const sent: SessionChange[] = [];
  const pause = new ManualPause();
  const paced = new PacedChanges((change) => sent.push(change), pause.start);
  const heads = () => sent.map((change) => ("deleted" in change ? "deleted" : change.head));
  return { paced, pause, sent, heads };
}

function at(head: number, more: Partial<SessionSummary> = {}): SessionSummary {
  const times = { createdAt: 1, updatedAt: head };
  return {
    session: "s",
    agent: "mock",
    cwd: "/",
    status: "running",
    head,
    openAsks: 0,
    queued: 0,
    ...times,
    ...more,
  };
}

test("200 deltas of a turn are sent once per pause, and the last of them always", () => {
  const { paced, pause, heads } = start();
  for (let head = 1; head <= 100; head += 1) paced.take(at(head, { cost: head / 1000 }));
  expect(heads()).toEqual([1]);
  pause.end();
  expect(heads()).toEqual([1, 100]);
  for (let head = 101; head <= 200; head += 1) paced.take(at(head));
  pause.end();
  expect(heads()).toEqual([1, 100, 200]);
});

test.each([
  { status: "idle" },
  { openAsks: 1 },
  { queued: 1 },
  { title: "New" },
  { pinned: true },
  { archived: true },
  { cutOffAt: 5 },
  { node: "other" },
] as Partial<SessionSummary>[])("a change of state is sent at once: %o", (state) => {
  const { paced, pause, heads } = start();
  paced.take(at(1));
  paced.take(at(2));
  paced.take(at(3, state));
  expect(heads()).toEqual([1, 3]);
  // Progress that was waiting is older.
  pause.end();
  expect(heads()).toEqual([1, 3]);
});

test("no pause is left running once nothing changes, and none after everybody left", () => {
  const { paced, pause, heads } = start();
  paced.take(at(1));
  paced.take(at(2));
  pause.end();
  pause.end();
  expect(pause.isRunning).toBe(false);
  paced.take(at(3));
  expect([heads(), pause.isRunning]).toEqual([[1, 2, 3], true]);
  paced.take(at(4));
  paced.clear();
  expect(pause.isRunning).toBe(false);
  expect(heads()).toEqual([1, 2, 3]);
});

test("progress of a session that was deleted is not sent", () => {
  const { paced, pause, heads } = start();
  paced.take(at(1));
  paced.take(at(2));
  paced.take({ session: "s", deleted: true });
  pause.end();
  expect(heads()).toEqual([1, "deleted"]);
});

test("sessions do not wait for one another", () => {
  const { paced, pause, sent } = start();
  paced.take(at(1));
  paced.take(at(1, { session: "t" }));
  paced.take(at(2, { session: "t" }));
  expect(sent.map(({ session }) => session)).toEqual(["s", "t"]);
  paced.flush();
  expect(sent.at(-1)).toMatchObject({ session: "t", head: 2 });
  pause.end();
  expect(sent).toHaveLength(3);
});
