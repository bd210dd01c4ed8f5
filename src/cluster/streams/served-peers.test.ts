import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import type { EncodedEvent } from "../../core/encoded-event.ts";
import { CommitListeners } from "../../engine/commits/commit-listeners.ts";
import { ManualPause } from "../../testkit/manual-pause.ts";
import { until } from "../../testkit/until.ts";
import { PeerConnection } from "./peer-connection.ts";
import { decodeEvents, encodeFrame } from "./peer-frame.ts";
import { ServedPeers } from "./served-peers.ts";

test("sessions that have left or were deleted do not count among those that a peer follows", async () => {
  const faults: unknown[] = [];
  const listeners = new CommitListeners((error) => faults.push(error));
  const served = new ServedPeers({
    engine: listeners,
    has: () => true,
    store: { readEvents: async () => ({ events: [], head: 0 }) },
    greeting: () => [],
    maxFollowed: 2,
  });
  const [near, far] = duplexPair();
  served.accept(far);
  const heard: string[] = [];
  const peer = new PeerConnection(near, {
    onFrame: ({ kind, words }) => heard.push([kind, ...words].join(" ")),
    onClose: () => {},
  });
  const follow = async (session: string) => {
    heard.length = 0;
    peer.write(encodeFrame("follow", [session]));
    await until(() => heard.some((text) => text.endsWith(` ${session}`)));
    return heard.at(-1);
  };
  for (let round = 0; round < 3; round += 1) {
    expect(await follow(`a${round}`)).toBe(`following a${round}`);
    expect(await follow(`b${round}`)).toBe(`following b${round}`);
    expect(await follow(`c${round}`)).toBe(`moved c${round}`);
    served.released(`a${round}`);
    listeners.deleted(`b${round}`);
    await until(() => heard.includes(`moved a${round}`) && heard.includes(`deleted b${round}`));
  }
  served.close();
  peer.close("the test is over");
  expect(faults).toEqual([]);
});

test("a peer is told what it missed, and nothing is missing or comes twice when more is committed meanwhile", async () => {
  const listeners = new CommitListeners((error) => {
    throw error;
  });
  const log: EncodedEvent[] = [];
  const commit = (count: number) => {
    const events = Array.from({ length: count }, (_, index) => ({ seq: log.length + index + 1, json: "{}" }));
    log.push(...events);
    listeners.publish("s", events, () => {
      throw new Error("nobody follows all sessions");
    });
  };
  let reads = 0;
  const served = new ServedPeers({
    engine: listeners,
    has: () => true,
    store: {
      async readEvents(_, after) {
        reads += 1;
        const page = { events: log.slice(after, after + 3), head: log.length };
        // While the first ones are on their way more is committed.
        await new Promise(setImmediate);
        if (reads < 4) commit(1);
        return page;
      },
    },
    greeting: () => [],
  });
  commit(10);
  const [near, far] = duplexPair();
  served.accept(far);
  const seqs: number[] = [];
  const peer = new PeerConnection(near, {
    onFrame: (frame) => {
      if (frame.kind === "events") seqs.push(...decodeEvents(frame)!.map(({ seq }) => seq));
    },
    onClose: () => {},
  });
  peer.write(encodeFrame("follow", ["s", 4]));
  await until(() => seqs.length === 9);
  commit(2);
  await until(() => seqs.length === 11);
  expect(seqs).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]);
  served.close();
  peer.close("the test is over");
});

test("an answer of 200 deltas is a few frames between nodes, and its end is told at once", async () => {
  const pause = new ManualPause();
  const listeners = new CommitListeners((error) => {
    throw error;
  });
  const served = new ServedPeers({
    engine: listeners,
    has: () => true,
    store: { readEvents: async () => ({ events: [], head: 0 }) },
    greeting: () => [],
    startPause: pause.start,
  });
  const [near, far] = duplexPair();
  served.accept(far);
  const told: [number, string][] = [];
  let isFeeding = false;
  const peer = new PeerConnection(near, {
    onFrame: ({ kind, body }) => {
      if (kind === "feeding") isFeeding = true;
      if (kind !== "feed") return;
      for (const { head, status } of JSON.parse(body.toString())) told.push([head, status]);
    },
    onClose: () => {},
  });
  peer.write(encodeFrame("feed"));
  await until(() => isFeeding);
  const change = (head: number, status: string) =>
    listeners.changed(() => ({ session: "s", head, status }) as never);
  for (let head = 1; head <= 200; head += 1) {
    change(head, "running");
    await new Promise(setImmediate);
    if (head === 100) pause.end();
  }
  change(201, "idle");
  await until(() => told.at(-1)?.[1] === "idle");
  expect(told).toEqual([
    [1, "running"],
    [100, "running"],
    [201, "idle"],
  ]);
  peer.write(encodeFrame("quiet"));
  await until(() => !pause.isRunning);
  served.close();
  peer.close("the test is over");
});
