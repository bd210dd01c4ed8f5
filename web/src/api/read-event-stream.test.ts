import { expect, test } from "vitest";
import { readEventStream } from "./read-event-stream.ts";

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

test("frames come whole, wherever the bytes were cut", async () => {
  const bytes = new TextEncoder().encode(
    ': hello\n\ndata: {"a":"ä"}\n\nid: 7\ndata: two\n\ndata: never finished',
  );
  for (let size = 1; size < bytes.length; size += 1) {
    const pieces = [];
    for (let at = 0; at < bytes.length; at += size) pieces.push(bytes.subarray(at, at + size));
    const frames = [];
    for await (const data of readEventStream(streamOf(pieces))) frames.push(data);
    expect(frames).toEqual(['{"a":"ä"}', "two"]);
  }
});
