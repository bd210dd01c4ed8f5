import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { TimeSlices } from "../../core/time-slices.ts";
import { until } from "../../testkit/until.ts";
import { Presence } from "../people/presence.ts";
import type { EventStream } from "./event-stream.ts";
import { Feed, type FeedDependencies } from "./feed.ts";
import type { Frame } from "./frame.ts";

class FakeStream extends EventEmitter {
  readonly frames: { type: string; sessions?: { session: string; head: number }[]; head?: number }[] = [];
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
  onClose = () => () => {};

  end(reason?: string): void {
    this.isOpen = false;
    this.reason = reason;
  }
}

function createFeed() {
  const heads = new Map([["s", 5]]);
  let listener!: Parameters<FeedDependencies["engine"]["followAll"]>[0];
  let gap!: () => void;
  const feed = new Feed({
    engine: {
      followAll: (onChange, onGap) => {
        listener = onChange;
        gap = onGap!;
        return () => {};
      },
      listAsks: async () => ({ asks: [] }),
    },
    store: {
      listSessions: async () => ({
        sessions: [...heads].map(([id, head]) => ({ id, head, openAsks: 0 }) as never),
      }),
    },
    slices: new TimeSlices(),
    presence: new Presence(),
    startedAt: 1,
    onError: (error) => {
      throw error;
    },
  });
  return {
    feed,
    heads,
    change: (session: string, head: number) => listener({ session, head, openAsks: 0 } as never, []),
    gap: () => gap(),
  };
}

async function connect(feed: Feed): Promise<FakeStream> {
  const stream = new FakeStream();
  await feed.connect(stream as unknown as EventStream);
  return stream;
}

test("after a gap everybody gets a new snapshot, and nothing older behind it", async () => {
  const { feed, heads, change, gap } = createFeed();
  const stream = await connect(feed);
  change("s", 6);
  // What followed was missed.
  heads.set("s", 7);
  gap();
  await until(() => stream.frames.filter(({ type }) => type === "snapshot").length === 2);
  expect(stream.frames.at(-1)).toMatchObject({ type: "snapshot", sessions: [{ session: "s", head: 7 }] });
  change("s", 8);
  await until(() => stream.frames.at(-1)?.head === 8);
});

test("a reader that cannot take another snapshot is told to connect again", async () => {
  const { feed, gap } = createFeed();
  const [slow, quick] = [await connect(feed), await connect(feed)];
  slow.isFull = true;
  gap();
  await until(() => quick.frames.length === 2);
  expect(slow.reason).toBe("connect again: changes were missed");
});

test("many gaps make few snapshots", async () => {
  const { feed, gap } = createFeed();
  const stream = await connect(feed);
  for (let n = 0; n < 50; n += 1) {
    gap();
    await new Promise(setImmediate);
  }
  await until(() => stream.frames.length >= 3);
  expect(stream.frames.length).toBeLessThan(5);
});
