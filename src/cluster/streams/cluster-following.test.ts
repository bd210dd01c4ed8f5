import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { until } from "../../testkit/until.ts";
import { MemoryCluster } from "./memory-cluster.test-support.ts";
import { SessionFollowing } from "./session-following.ts";

let cluster: MemoryCluster;

afterEach(() => {
  cluster.close();
  expect(cluster.faults).toEqual([]);
});

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

test("a reader at another node gets every commit from its owner, and the store is not asked for it", async () => {
  cluster = new MemoryCluster(2);
  cluster.create("s", 1);
  const seen = cluster.nodes[1]!.read("s");
  await until(() => seen.seqs.length === 1);
  // The owner tells once the streams are there.
  await until(async () => {
    const asked = cluster.headReads;
    await sleep(60);
    return cluster.headReads === asked;
  });
  const asked = cluster.headReads;
  for (let n = 0; n < 50; n += 1) cluster.commit("s", 3);
  await until(() => seen.seqs.length === 151);
  expect(seen.seqs).toEqual(upTo(151));
  expect(cluster.headReads).toBe(asked);
  expect(cluster.nodes[1]!.fanOut.counters.fellBehind).toBe(0);
});

test("a reader goes on while its session is released, claimed elsewhere, and comes to its own node", async () => {
  cluster = new MemoryCluster(3);
  cluster.create("s", 1);
  const seen = cluster.nodes[1]!.read("s");
  for (const owner of [3, 2, 1, 3]) {
    cluster.commit("s", 2);
    cluster.release("s");
    cluster.claim("s", owner);
    cluster.commit("s", 3);
  }
  await until(() => seen.seqs.length === 21);
  expect(seen.seqs).toEqual(upTo(21));
});

test("a reader goes on with the next owner when the first one dies", async () => {
  cluster = new MemoryCluster(3);
  cluster.create("s", 1);
  const seen = cluster.nodes[2]!.read("s");
  cluster.commit("s", 5);
  cluster.kill(1);
  expect(cluster.claim("s", 2)).toBe(true);
  cluster.commit("s", 5);
  await until(() => seen.seqs.length === 11);
  expect(seen.seqs).toEqual(upTo(11));
});

test("while a link is cut the reader follows the store, and the owner again afterwards", async () => {
  cluster = new MemoryCluster(2);
  cluster.create("s", 1);
  const seen = cluster.nodes[1]!.read("s");
  cluster.cut(1, 2);
  cluster.commit("s", 4);
  await until(() => seen.seqs.length === 5);
  // Further behind than is read for those who are level.
  cluster.commit("s", 1000);
  await until(() => seen.seqs.length === 1005);
  cluster.heal(1, 2);
  cluster.commit("s", 1);
  await until(() => seen.seqs.length === 1006);
  expect(seen.seqs).toEqual(upTo(1006));
});

test("readers of a session that is deleted are told, with and without a link", async () => {
  cluster = new MemoryCluster(2);
  for (const session of ["s", "t"]) cluster.create(session, 1);
  const first = cluster.nodes[1]!.read("s");
  await until(() => first.seqs.length === 1);
  cluster.delete("s");
  await until(() => first.isDeleted);
  const second = cluster.nodes[1]!.read("t");
  await until(() => second.seqs.length === 1);
  cluster.cut(1, 2);
  cluster.delete("t");
  await until(() => second.isDeleted);
});

test("a session that was deleted and made anew while a link was cut is another one", async () => {
  cluster = new MemoryCluster(2);
  cluster.create("s", 1);
  cluster.commit("s", 5);
  const seen = cluster.nodes[1]!.read("s");
  await until(() => seen.seqs.length === 6);
  // Level, and known to be.
  cluster.commit("s", 1);
  await until(() => seen.seqs.length === 7);
  cluster.cut(1, 2);
  cluster.delete("s");
  cluster.create("s", 1);
  await until(() => seen.isDeleted);
});

test("nothing is told to a node whose readers left", async () => {
  cluster = new MemoryCluster(2);
  cluster.create("s", 1);
  const seen = cluster.nodes[1]!.read("s");
  cluster.commit("s");
  await until(() => seen.seqs.length === 2);
  seen.stop();
  cluster.commit("s");
  const again = cluster.nodes[1]!.read("s");
  await until(() => again.seqs.length === 3);
  expect(seen.seqs).toEqual([1, 2]);
});

test("what was committed before the owner began to tell is read", async () => {
  cluster = new MemoryCluster(1);
  const log = [{ seq: 1, json: "{}" }];
  const sent: string[] = [];
  const following = new SessionFollowing({
    engine: cluster.nodes[0]!.listeners,
    has: () => false,
    store: { readEvents: async (_, after) => ({ events: log.slice(after), head: log.length }) },
    readHeads: async () => new Map([["s", { head: log.length, owner: 2 }]]),
    links: { isUp: () => true, send: (_, frame) => sent.push(frame.toString()) > 0 },
    onFault: (error) => cluster.faults.push(error),
    // Only what is asked for.
    times: { looseMs: 1_000_000 },
  });
  const seen: number[] = [];
  following.follow("s", (events) => seen.push(...events.map(({ seq }) => seq)));
  await until(() => sent.length > 0 && seen.length === 1);
  expect(sent).toEqual(["follow s 0\n"]);
  // After the head was read, and before the owner got the wish.
  log.push({ seq: 2, json: "{}" });
  following.take(2, { kind: "following", words: ["s"], body: Buffer.alloc(0) });
  await until(() => seen.length === 2);
  expect(seen).toEqual([1, 2]);
  following.close();
});

test("a node that does not have what the database says it has is not asked at once again and again", async () => {
  cluster = new MemoryCluster(1);
  const sent: string[] = [];
  let answer = "moved" as "moved" | "following";
  const following = new SessionFollowing({
    engine: cluster.nodes[0]!.listeners,
    has: () => false,
    store: { readEvents: async () => ({ events: [], head: 0 }) },
    readHeads: async () => new Map([["s", { head: 0, owner: 2 }]]),
    links: {
      isUp: () => true,
      send: (_, frame) => {
        sent.push(frame.toString());
        const kind = answer;
        setImmediate(() => following.take(2, { kind, words: ["s"], body: Buffer.alloc(0) }));
        return true;
      },
    },
    onFault: (error) => cluster.faults.push(error),
    // Only what is asked for.
    times: { looseMs: 1_000_000 },
  });
  const turns = async () => {
    for (let n = 0; n < 200; n += 1) await new Promise(setImmediate);
  };
  following.follow("s", () => {});
  await turns();
  // The first time the row may just have changed.
  expect(sent).toEqual(["follow s 0\n", "follow s 0\n"]);
  // It is asked with the next round; and once it had the session, at once when that has moved.
  answer = "following";
  following.up();
  await turns();
  expect(sent).toHaveLength(3);
  following.take(2, { kind: "moved", words: ["s"], body: Buffer.alloc(0) });
  await turns();
  expect(sent).toHaveLength(4);
  following.close();
});

test("a log that became shorter is not taken for news that come late", async () => {
  cluster = new MemoryCluster(2);
  cluster.create("s", 1);
  const told: number[] = [];
  let gaps = 0;
  cluster.nodes[1]!.following.followAll(
    (change) => "deleted" in change || told.push(change.head),
    () => {
      gaps += 1;
    },
  );
  await until(() => gaps === 1);
  const { listeners } = cluster.nodes[0]!;
  listeners.changed(() => ({ session: "s", head: 50 }) as never);
  listeners.cutShort("s", 5);
  listeners.changed(() => ({ session: "s", head: 6 }) as never);
  await until(() => told.at(-1) === 6);
  expect(told).toEqual([50, 6]);
  await until(() => gaps === 2);
});

test("the feed has the changes of all nodes, and says where some may be missing", async () => {
  cluster = new MemoryCluster(2);
  cluster.create("s", 1);
  cluster.create("t", 2);
  const heads = new Map<string, number>();
  let gaps = 0;
  const stop = cluster.nodes[1]!.following.followAll(
    (change) => heads.set(change.session, "deleted" in change ? -1 : change.head),
    () => {
      gaps += 1;
    },
  );
  await until(() => gaps === 1);
  cluster.commit("s");
  cluster.commit("t");
  await until(() => heads.get("s") === 2 && heads.get("t") === 2);
  cluster.cut(1, 2);
  cluster.commit("s");
  await until(() => heads.get("s") === 3);
  cluster.heal(1, 2);
  await until(() => gaps === 2);
  cluster.commit("s");
  await until(() => heads.get("s") === 4);
  cluster.delete("s");
  await until(() => heads.get("s") === -1);
  cluster.kill(1);
  await until(() => gaps === 3);
  stop();
});

test("who has a session is told without an event; what a node tells late is not", async () => {
  cluster = new MemoryCluster(2);
  cluster.create("s", 1);
  const told: { head: number; node?: string }[] = [];
  let gaps = 0;
  cluster.nodes[1]!.following.followAll(
    (change) => "deleted" in change || told.push(change),
    () => {
      gaps += 1;
    },
  );
  await until(() => gaps === 1);
  const { listeners } = cluster.nodes[0]!;
  for (const [head, node] of [
    [5, undefined],
    [5, "n1"],
    [3, "late"],
    [6, "n1"],
  ] as const) {
    listeners.changed(() => ({ session: "s", head, node }) as never);
    // Each in a frame of its own.
    await new Promise(setImmediate);
  }
  await until(() => told.at(-1)?.head === 6);
  expect(told.map(({ head, node }) => [head, node])).toEqual([
    [5, undefined],
    [5, "n1"],
    [6, "n1"],
  ]);
});

test("news reach all nodes, those that come later too, and end with their node", async () => {
  cluster = new MemoryCluster(3);
  const [a, b, c] = cluster.nodes.map(({ following }) => following.news);
  const seen = new Map<string, unknown>();
  const told: unknown[] = [];
  b!.listen("presence", ({ node, key, value }) => seen.set(`${node} ${key}`, value));
  c!.listen("tokens", ({ value }) => told.push(value));
  a!.set("presence", "s", { total: 1 });
  await until(() => seen.has("1 s"));
  expect(seen.get("1 s")).toEqual({ total: 1 });
  await until(() => {
    a!.tell("tokens", 7);
    return told.length > 0;
  });
  // A short cut changes nothing; what ended meanwhile is over afterwards.
  a!.set("presence", "t", { total: 2 });
  await until(() => seen.has("1 t"));
  cluster.cut(1, 2);
  a!.set("presence", "t", undefined);
  cluster.heal(1, 2);
  await until(() => seen.get("1 t") === undefined);
  expect(seen.get("1 s")).toEqual({ total: 1 });
  const later = new Map<string, unknown>();
  b!.listen("presence", ({ node, key, value }) => later.set(`${node} ${key}`, value));
  expect(later).toEqual(new Map([["1 s", { total: 1 }]]));
  cluster.kill(1);
  await until(() => seen.get("1 s") === undefined);
});
