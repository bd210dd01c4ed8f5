import { expect, test } from "vitest";
import { readEventStream } from "./read-event-stream.ts";

async function read(pieces: readonly string[] | readonly Uint8Array[]) {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces)
        controller.enqueue(typeof piece === "string" ? encoder.encode(piece) : piece);
      controller.close();
    },
  });
  const events = [];
  for await (const event of readEventStream(body)) events.push(event);
  return events;
}

const whole = ': hello\n\nid: 1\ndata: {"text":"äö"}\n\n: still here\n\nid: 2\ndata: {}\n\n';
const events = [
  { id: "1", data: '{"text":"äö"}' },
  { id: "2", data: "{}" },
];

test("comments are skipped", async () => {
  expect(await read([whole])).toEqual(events);
});

test("it does not matter where the network cuts, not even inside a character", async () => {
  const bytes = new TextEncoder().encode(whole);
  expect(await read([...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(events);
});

test("an event that was cut off is dropped", async () => {
  expect(await read([`${whole}id: 3\ndata: {"te`])).toEqual(events);
});

test("an id alone is no event and belongs to no other", async () => {
  expect(await read(["id: 7\n\ndata: x\n\n"])).toEqual([{ id: undefined, data: "x" }]);
});

test("several data lines and carriage returns are read as the standard has them", async () => {
  expect(await read(["data: a\r\ndata:b\r\n\r\n"])).toEqual([{ id: undefined, data: "a\nb" }]);
});

test("leaving the loop cancels the response", async () => {
  let isCancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: x\n\n")),
    cancel() {
      isCancelled = true;
    },
  });
  for await (const { data } of readEventStream(body)) {
    expect(data).toBe("x");
    break;
  }
  expect(isCancelled).toBe(true);
});
