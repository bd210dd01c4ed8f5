import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { NewsListener, PeerNews } from "../../core/peer-news.ts";
import { TimeSlices } from "../../core/time-slices.ts";
import { until } from "../../testkit/until.ts";
import { Presence } from "./presence.ts";

const ada = { name: "ada", role: "participant", dialect: "v1" } as const;
const ben = { name: "ben", role: "observer", dialect: "ai-sdk" } as const;

/** With a clock that goes on by one for each look at it. */
function createPresence(): Presence {
  let now = 0;
  return new Presence(() => {
    now += 1;
    return now;
  });
}

test("one entry for each name, role and dialect, with how many streams it has", () => {
  const presence = createPresence();
  const leave = presence.enter("s", ada);
  presence.enter("s", ben);
  presence.enter("s", ada);
  presence.enter("s", { ...ada, dialect: "ai-sdk" });
  presence.enter("other", ben);
  expect(presence.of("s")).toEqual({
    viewers: [
      { ...ada, since: 1, count: 2 },
      { ...ben, since: 2, count: 1 },
      { ...ada, dialect: "ai-sdk", since: 3, count: 1 },
    ],
    total: 3,
  });
  leave();
  leave();
  expect(presence.of("s").viewers[0]).toEqual({ ...ada, since: 1, count: 1 });
  expect(presence.of("nobody looks")).toEqual({ viewers: [], total: 0 });
});

test("a hundred are listed, and all are counted", () => {
  const presence = createPresence();
  for (let n = 0; n < 130; n += 1) presence.enter("s", { ...ada, name: `viewer ${n}` });
  const { viewers, total } = presence.of("s");
  expect([viewers.length, viewers[0]?.name, viewers[99]?.name, total]).toEqual([
    100,
    "viewer 0",
    "viewer 99",
    130,
  ]);
});

test("listeners hear of a session once in a turn of the event loop, and of no other", async () => {
  const presence = createPresence();
  const heard: string[] = [];
  const stop = presence.follow("s", () => heard.push("s"));
  const stopAll = presence.followAll((session) => heard.push(`all ${session}`));
  presence.enter("s", ada);
  presence.enter("s", ben);
  presence.enter("other", ada);
  expect(heard).toEqual([]);
  await setImmediate();
  expect(heard).toEqual(["s", "all s", "all other"]);
  stop();
  stopAll();
  presence.enter("s", ben);
  await setImmediate();
  expect(heard).toHaveLength(3);
});

test("many listeners of one session are called in slices, and who stops to listen meanwhile is not called", async () => {
  const presence = new Presence(Date.now, new TimeSlices(0));
  const heard: number[] = [];
  const stops = Array.from({ length: 10 }, (_, n) => presence.follow("s", () => heard.push(n)));
  presence.enter("s", ada);
  await setImmediate();
  const first = heard.length;
  expect(first).toBeLessThan(5);
  stops[8]!();
  presence.enter("s", ada);
  await until(() => heard.filter((n) => n === 9).length === 2);
  expect(heard).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 9, 0, 1, 2, 3, 4, 5, 6, 7, 9]);
});

test("who leaves and is back in the same turn was there all the time, and nobody hears of it", async () => {
  const presence = createPresence();
  const leave = presence.enter("s", ada);
  await setImmediate();
  let calls = 0;
  presence.followAll(() => {
    calls += 1;
  });
  leave();
  expect(presence.of("s").total).toBe(0);
  expect([...presence.sessions()]).toEqual([]);
  presence.enter("s", ada);
  await setImmediate();
  expect(calls).toBe(0);
  expect(presence.of("s").viewers).toEqual([{ ...ada, since: 1, count: 1 }]);
});

test("whatever comes and goes: the counts are those of what is open, and listeners know the last state", async () => {
  const step = fc.record({
    session: fc.constantFrom("a", "b"),
    name: fc.constantFrom("x", "y", "z"),
    leaves: fc.boolean(),
    waits: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      const presence = createPresence();
      const open = new Map<string, (() => void)[]>();
      const known = new Map<string, number>();
      presence.followAll((session) => {
        for (const key of [...known.keys()]) if (key.startsWith(session)) known.delete(key);
        for (const { name, count } of presence.of(session).viewers) known.set(`${session} ${name}`, count);
      });
      for (const { session, name, leaves, waits } of steps) {
        const key = `${session} ${name}`;
        const streams = open.get(key) ?? [];
        open.set(key, streams);
        if (leaves) streams.pop()?.();
        else streams.push(presence.enter(session, { name, role: "observer", dialect: "v1" }));
        if (waits) await setImmediate();
      }
      await setImmediate();
      const expected = [...open].flatMap(([key, { length }]) => (length > 0 ? [[key, length]] : []));
      expect([...known].sort()).toEqual(expected.sort());
      for (const streams of open.values()) for (const leave of streams) leave();
      await setImmediate();
      expect([...known, ...presence.sessions()]).toEqual([]);
    }),
  );
});

/** News between two nodes in one process. */
function linkedNews(): [PeerNews, PeerNews] {
  const listeners: Set<NewsListener>[] = [new Set(), new Set()];
  const side = (self: number): PeerNews => ({
    set: (_, key, value) => {
      for (const listener of listeners[1 - self]!) listener({ node: self + 1, key, value });
    },
    tell() {},
    listen: (_, listener) => {
      listeners[self]!.add(listener);
      return () => listeners[self]!.delete(listener);
    },
  });
  return [side(0), side(1)];
}

test("who watches by another node is shown, summed, and gone with it", async () => {
  const [first, second] = linkedNews();
  const [a, b] = [createPresence(), createPresence()];
  a.share(first);
  b.share(second);
  const changed: string[] = [];
  a.followAll((session) => changed.push(session));
  const leave = b.enter("s", ada);
  b.enter("other", ben);
  a.enter("s", ada);
  await setImmediate();
  await setImmediate();
  expect(a.of("s")).toEqual({ viewers: [{ ...ada, since: 1, count: 2 }], total: 1 });
  expect(b.of("s")).toEqual(a.of("s"));
  expect([...a.sessions()].sort()).toEqual(["other", "s"]);
  expect(new Set(changed)).toEqual(new Set(["s", "other"]));
  leave();
  await setImmediate();
  await setImmediate();
  expect(a.of("s")).toEqual({ viewers: [{ ...ada, since: 1, count: 1 }], total: 1 });
  second.set("presence", "other", undefined);
  expect(a.of("other")).toEqual({ viewers: [], total: 0 });
  expect([...a.sessions()]).toEqual(["s"]);
});

test("a listener that throws keeps the news from nobody, now and later", async () => {
  const faults: unknown[] = [];
  const presence = new Presence(Date.now, new TimeSlices(), (error) => faults.push(error));
  const heard: string[] = [];
  presence.follow("s", () => {
    throw new Error("on purpose");
  });
  presence.follow("s", () => heard.push("s"));
  presence.followAll((session) => heard.push(`all ${session}`));
  for (let round = 1; round <= 2; round += 1) {
    presence.enter("s", ada);
    await until(() => heard.length === 2 * round);
    expect(faults).toHaveLength(round);
  }
  expect(heard).toEqual(["s", "all s", "s", "all s"]);
});
