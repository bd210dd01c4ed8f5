/**
 * What readers get while frames are lost, doubled, late and out of order, links break, and sessions change their owners: the
 * log, without a gap and nothing twice.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { EncodedEvent } from "../../core/encoded-event.ts";
import { TimeSlices } from "../../core/time-slices.ts";
import { FanOut } from "../../server/streams/fan-out.ts";
import { LogReader } from "../../server/streams/log-reader.ts";
import { until } from "../../testkit/until.ts";
import { MemoryCluster } from "./memory-cluster.test-support.ts";
import { encodeEvents, FrameDecoder, type PeerFrame } from "./peer-frame.ts";
import { SessionFollowing } from "./session-following.ts";

function upTo(last: number): number[] {
  return Array.from({ length: last }, (_, index) => index + 1);
}

/** What happens to the frames of a log that is written in batches. */
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("commit" as const), count: fc.integer({ min: 1, max: 5 }) }),
  },
  // One of the frames so far, from any of two nodes: again, late, or for the first time.
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("frame" as const),
      at: fc.nat(40),
      node: fc.integer({ min: 1, max: 2 }),
    }),
  },
  fc.record({
    do: fc.constantFrom("moved" as const, "claimed" as const, "following" as const),
    node: fc.integer({ min: 1, max: 2 }),
  }),
  fc.record({ do: fc.constant("pause" as const) }),
);

test("frames that are lost, doubled, late and out of order make the log, once", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const log: EncodedEvent[] = [{ seq: 1, json: "{}" }];
      const frames: PeerFrame[] = [];
      const store = {
        async readEvents(_: string, after: number, limit: number) {
          const page = { events: log.slice(after, after + limit), head: log.length };
          await new Promise(setImmediate);
          return page;
        },
      };
      const following = new SessionFollowing({
        engine: { follow: () => ({ stop() {} }) },
        has: () => false,
        store,
        async readHeads() {
          const found = new Map([["s", { head: log.length, owner: 1 }]]);
          await new Promise(setImmediate);
          return found;
        },
        links: { isUp: () => true, send: () => true },
        onFault: (error) => {
          throw error;
        },
        times: { looseMs: 5 },
      });
      const fanOut = new FanOut({
        engine: following,
        store: { ...store, health: () => ({ damagedSessions: [] }) },
        slices: new TimeSlices(),
        presence: { enter: () => () => {} },
        limits: {
          maxStreams: 9,
          keepAliveMs: 1000,
          pageBytes: 9999,
          recentBytes: 50,
          recentBytesOverall: 999,
        },
      });
      const seqs: number[] = [];
      const errors: unknown[] = [];
      const reader = new LogReader(fanOut.channel("s"), 0, {
        isFull: false,
        send: ({ events }) => seqs.push(...events.map(({ seq }) => seq)),
        onDeleted: () => errors.push("deleted"),
        onError: (error) => errors.push(error),
      });
      reader.start();
      for (const each of steps) {
        if (each.do === "commit") {
          const first = log.length + 1;
          const events = upTo(each.count).map((n) => ({
            seq: first + n - 1,
            json: `{"seq":${first + n - 1}}`,
          }));
          log.push(...events);
          frames.push(...new FrameDecoder().push(encodeEvents("s", events)));
        } else if (each.do === "frame") {
          const frame = frames[each.at % Math.max(1, frames.length)];
          if (frame) following.take(each.node, frame);
        } else if (each.do === "pause") await new Promise(setImmediate);
        else following.take(each.node, { kind: each.do, words: ["s"], body: Buffer.alloc(0) });
      }
      // The node that has it is heard in the end, or the store is asked.
      following.down(1);
      following.down(2);
      await until(() => seqs.length >= log.length || errors.length > 0);
      reader.stop();
      following.close();
      fanOut.close();
      expect(errors).toEqual([]);
      expect(seqs).toEqual(upTo(log.length));
    }),
    { numRuns: 150 },
  );
});

const act = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant("commit" as const), count: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant("move" as const), to: fc.integer({ min: 1, max: 3 }) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("cut" as const, "heal" as const),
      ...{ a: fc.integer({ min: 1, max: 3 }), b: fc.integer({ min: 1, max: 3 }) },
    }),
  },
  fc.record({ do: fc.constant("release" as const) }),
  // Of any node but the first, so that one is left.
  fc.record({ do: fc.constant("kill" as const), node: fc.integer({ min: 2, max: 3 }) }),
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant("pause" as const), turns: fc.integer({ min: 1, max: 10 }) }),
  },
);

test("links that break and owners that change or die make the log, once, at every node that lives", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 40 }), async (acts) => {
      const cluster = new MemoryCluster(3);
      cluster.create("s", 1);
      const seen = cluster.nodes.map((node) => node.read("s"));
      for (const each of acts) {
        if (each.do === "commit") cluster.commit("s", each.count);
        else if (each.do === "release") cluster.release("s");
        else if (each.do === "pause") for (let n = 0; n < each.turns; n += 1) await new Promise(setImmediate);
        else if (each.do === "kill" && !cluster.dead.has(each.node)) cluster.kill(each.node);
        else if (each.do === "cut" && each.a !== each.b) cluster.cut(each.a, each.b);
        else if (each.do === "heal" && each.a !== each.b) cluster.heal(each.a, each.b);
        else if (each.do === "move" && !cluster.dead.has(each.to)) {
          const { owner } = cluster.sessions.get("s")!;
          if (owner !== undefined && !cluster.dead.has(owner)) cluster.release("s");
          cluster.claim("s", each.to);
        }
      }
      const { length } = cluster.sessions.get("s")!.log;
      const living = seen.filter((_, index) => !cluster.dead.has(index + 1));
      await until(() => living.every(({ seqs, errors }) => seqs.length >= length || errors.length > 0));
      cluster.close();
      for (const { seqs, errors, isDeleted } of living) {
        expect(errors).toEqual([]);
        expect(isDeleted).toBe(false);
        expect(seqs).toEqual(upTo(length));
      }
      expect(cluster.faults).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
