import { duplexPair } from "node:stream";
import { expect, test } from "vitest";
import { until } from "../../testkit/until.ts";
import { PeerConnection, type PeerConnectionOptions } from "./peer-connection.ts";
import { encodeFrame } from "./peer-frame.ts";

function connect(limits: PeerConnectionOptions["limits"] = {}) {
  const [near, far] = duplexPair();
  const [frames, reasons]: [string[], string[]] = [[], []];
  const connection = new PeerConnection(near, {
    limits: { beatMs: 5, ...limits },
    onFrame: ({ kind, words }) => frames.push([kind, ...words].join(" ")),
    onClose: (reason) => reasons.push(reason),
  });
  return { connection, far, frames, reasons };
}

test("what is written in one turn of the event loop is one write", async () => {
  const { connection, far } = connect();
  const chunks: string[] = [];
  far.on("data", (chunk: Buffer) => chunks.push(chunk.toString()));
  connection.write(encodeFrame("feed"));
  connection.write(encodeFrame("follow", ["s"]));
  await until(() => chunks.length > 0);
  expect(chunks[0]).toBe("beat 0\nfeed 0\nfollow s 0\n");
  connection.close("over");
});

test("a peer that takes nothing is forgotten before much waits for it", () => {
  const { connection, reasons } = connect({ maxWaitingBytes: 1000 });
  const frame = encodeFrame("set", ["x"], "y".repeat(400));
  let most = 0;
  for (let n = 0; n < 100; n += 1) {
    connection.write(frame);
    most = Math.max(most, connection.waitingBytes);
  }
  expect(reasons).toEqual(["the peer is too slow"]);
  expect(most).toBeLessThan(1000);
  expect(connection.isOpen).toBe(false);
});

test("a greeting may be longer than what may wait, and is not added to it for good", async () => {
  const { connection, far, reasons } = connect({ maxWaitingBytes: 1000 });
  const frame = encodeFrame("set", ["x"], "y".repeat(400));
  connection.greet(Array.from({ length: 100 }, () => frame));
  connection.write(frame);
  expect(reasons).toEqual([]);
  far.resume();
  await until(() => connection.waitingBytes === 0);
  far.pause();
  for (let n = 0; n < 1000 && connection.isOpen; n += 1) {
    connection.write(frame);
    expect(connection.waitingBytes).toBeLessThan(2000);
  }
  expect(reasons).toEqual(["the peer is too slow"]);
});

test("a peer that says nothing is gone", async () => {
  const { far, reasons } = connect({ silenceMs: 30 });
  far.resume();
  await until(() => reasons.length > 0);
  expect(reasons).toEqual(["the peer is silent"]);
});

test("a peer that beats stays", async () => {
  const { far, frames, reasons, connection } = connect({ silenceMs: 500 });
  far.resume();
  for (let n = 0; n < 20; n += 1) far.write(encodeFrame("beat"));
  far.write(encodeFrame("claimed", ["s"]));
  await until(() => frames.length > 0);
  expect(frames).toEqual(["claimed s"]);
  expect(reasons).toEqual([]);
  connection.close("over");
});

test("what does not speak our protocol is closed", async () => {
  const { far, reasons } = connect();
  far.write("HTTP/1.1 400 Bad Request\r\n\r\n");
  await until(() => reasons.length > 0);
  expect(reasons).toEqual(["The peer does not speak our protocol."]);
});
