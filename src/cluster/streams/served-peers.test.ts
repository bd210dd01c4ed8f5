import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import type { EncodedEvent } from "../../core/encoded-event.ts";
import { CommitListeners } from "../../engine/commit-listeners.ts";
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
