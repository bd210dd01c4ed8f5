import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { summarizeSession } from "../../core/session-summary.ts";
import { TimeSlices } from "../../core/time-slices.ts";
import { ManualPause } from "../../testkit/manual-pause.ts";
import { until } from "../../testkit/until.ts";
import { Presence } from "../people/presence.ts";
import type { EventStream } from "./event-stream.ts";
import { Feed, type FeedDependencies } from "./feed.ts";
import type { Frame } from "./frame.ts";

class FakeStream extends EventEmitter {
  readonly frames: {
    type: string;
    sessions?: { session: string; head: number }[];
    head?: number;
    status?: string;
    session?: string;
  }[] = [];
  isOpen = true;
  isFull = false;
  reason: string | undefined;

  write({ plain }: Frame): void {
    this.writeText(plain.toString());
  }

  writeText(text: string): void {
    for (const line of text.split("\n"))
      if (line.startsWith("data: ")) this.frames.push(JSON.parse(line.slice("data: ".length)));
  }

  onDrain = () => () => {};
  onClose = (act: () => void) => {
    this.on("close", act);
    return () => {};
  };

  close(): void {
    this.isOpen = false;
    this.emit("close");
  }

  end(reason?: string): void {
    this.isOpen = false;
    this.reason = reason;
  }
}

function createFeed(limits?: FeedDependencies["limits"]) {
  const heads = new Map([["s", 5]]);
  let listener!: Parameters<FeedDependencies["engine"]["followAll"]>[0];
  let gap!: () => void;
  const pause = new ManualPause();
  let isFollowed = false;
  let lists = 0;
  const rowOf = (id: string, head: number, status = "running") =>
    ({ id, head, status, openAsks: 0 }) as never;
  const feed = new Feed({
    engine: {
      followAll: (onChange, onGap) => {
        listener = onChange;
        gap = onGap!;
        isFollowed = true;
        return () => {
          isFollowed = false;
        };
      },
      run: (async () => ({ asks: [] })) as never,
    },
    store: {
      listSessions: async () => {
        lists += 1;
        return { sessions: [...heads].map(([id, head]) => rowOf(id, head)) };
      },
      getSession: async (id) => (heads.has(id) ? rowOf(id, heads.get(id)!) : undefined),
    },
    slices: new TimeSlices(),
    presence: new Presence(),
    startedAt: 1,
    startPause: pause.start,
    limits,
    onError: (error) => {
      throw error;
    },
  });
  return {
    feed,
    isFollowed: () => isFollowed,
    lists: () => lists,
    heads,
    pause,
    change: (session: string, head: number, status = "running") =>
      listener(summarizeSession(rowOf(session, head, status)), []),
    gap: () => gap(),
  };
}

async function connect(feed: Feed): Promise<FakeStream> {
  const stream = new FakeStream();
  await feed.connect(stream as unknown as EventStream);
  return stream;
}

/** No session can be compared. */
const INCOMPARABLE = { maxKnown: -1 };

test("after a gap readers get what they missed, and nothing else", async () => {
  const { feed, heads, change, gap, pause } = createFeed();
  for (const session of ["other", "deleted"]) heads.set(session, 3);
  const [stream, slow] = [await connect(feed), await connect(feed)];
  slow.isFull = true;
  change("s", 6);
  // The next changes were missed.
  heads.set("s", 7);
  heads.set("new", 1);
  heads.delete("deleted");
  gap();
  await until(() => stream.frames.at(-1)?.type === "deleted");
  expect(stream.frames.slice(2)).toMatchObject([
    { type: "session", session: "s", head: 7 },
    { type: "session", session: "new", head: 1 },
    { type: "deleted", session: "deleted" },
  ]);
  change("s", 8);
  pause.end();
  await until(() => stream.frames.at(-1)?.head === 8);
  expect(slow.isOpen).toBe(true);
  expect(stream.frames.filter(({ type }) => type === "snapshot")).toHaveLength(1);
});

test("after a gap that nothing was missed in nothing is sent", async () => {
  const { feed, gap, change, lists, heads } = createFeed();
  const stream = await connect(feed);
  gap();
  await until(() => lists() === 2);
  await new Promise(setImmediate);
  heads.set("s", 6);
  change("s", 6, "idle");
  await until(() => stream.frames.at(-1)?.head === 6);
  expect(stream.frames).toHaveLength(2);
});

test("after a gap with more sessions than can be compared everybody gets a new snapshot, and nothing older behind it", async () => {
  const { feed, heads, change, gap, pause } = createFeed(INCOMPARABLE);
  const stream = await connect(feed);
  change("s", 6);
  // What followed was missed.
  heads.set("s", 7);
  gap();
  await until(() => stream.frames.filter(({ type }) => type === "snapshot").length === 2);
  expect(stream.frames.at(-1)).toMatchObject({ type: "snapshot", sessions: [{ session: "s", head: 7 }] });
  change("s", 8);
  pause.end();
  await until(() => stream.frames.at(-1)?.head === 8);
});

test("a reader that cannot take another snapshot is told to connect again", async () => {
  const { feed, gap } = createFeed(INCOMPARABLE);
  const [slow, quick] = [await connect(feed), await connect(feed)];
  slow.isFull = true;
  gap();
  await until(() => quick.frames.length === 2);
  expect(slow.reason).toBe("connect again: changes were missed");
});

test("many gaps make few snapshots", async () => {
  const { feed, gap } = createFeed(INCOMPARABLE);
  const stream = await connect(feed);
  for (let n = 0; n < 50; n += 1) {
    gap();
    await new Promise(setImmediate);
  }
  await until(() => stream.frames.length >= 3);
  expect(stream.frames.length).toBeLessThan(5);
});

test("an answer of 200 deltas is a few frames of the feed, and its end is told at once", async () => {
  const { feed, change, pause } = createFeed();
  const stream = await connect(feed);
  const told = () => stream.frames.slice(1).map(({ head, status }) => [head, status]);
  for (let head = 6; head <= 205; head += 1) {
    change("s", head);
    await new Promise(setImmediate);
    if (head === 105) pause.end();
  }
  change("s", 206, "idle");
  await until(() => told().at(-1)?.[1] === "idle");
  expect(told()).toEqual([
    [6, "running"],
    [105, "running"],
    [206, "idle"],
  ]);
});

test("a reader that connects during a turn is told nothing older than its snapshot", async () => {
  const { feed, heads, change } = createFeed();
  await connect(feed);
  change("s", 6);
  change("s", 9);
  heads.set("s", 9);
  const stream = await connect(feed);
  await new Promise(setImmediate);
  const [snapshot, ...later] = stream.frames;
  expect(snapshot).toMatchObject({ type: "snapshot", sessions: [{ head: 9 }] });
  // It is in the snapshot, which was read later.
  expect(later).toEqual([]);
});

test("progress that waits does not outlive a gap: what the store says is the newest", async () => {
  const { feed, heads, change, gap, pause } = createFeed();
  const stream = await connect(feed);
  change("s", 20);
  change("s", 21);
  // The log became shorter.
  heads.set("s", 7);
  gap();
  await until(() => stream.frames.at(-1)?.head === 7);
  pause.end();
  await new Promise(setImmediate);
  expect(stream.frames.map(({ head }) => head)).toEqual([undefined, 21, 7]);
});

test("the engine is followed while somebody reads and a while longer, and then no pause is left running", async () => {
  const { feed, change, pause, isFollowed } = createFeed({ lingerMs: 1 });
  const readers = [await connect(feed), await connect(feed)];
  change("s", 6);
  change("s", 7);
  readers[0]!.close();
  expect(pause.isRunning).toBe(true);
  readers[1]!.close();
  expect([isFollowed(), pause.isRunning]).toEqual([true, true]);
  await until(() => !isFollowed());
  expect(pause.isRunning).toBe(false);
});
