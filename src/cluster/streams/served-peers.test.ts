import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { CommitListeners } from "../../engine/commit-listeners.ts";
import { until } from "../../testkit/until.ts";
import { PeerConnection } from "./peer-connection.ts";
import { encodeFrame } from "./peer-frame.ts";
import { ServedPeers } from "./served-peers.ts";

test("sessions that have left or were deleted do not count among those that a peer follows", async () => {
  const faults: unknown[] = [];
  const listeners = new CommitListeners((error) => faults.push(error));
  const served = new ServedPeers({
    engine: listeners,
    has: () => true,
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
