import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readServerSentEvents } from "./server-sent-events.ts";

async function* inChunks(text: string, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text);
  let start = 0;
  for (let turn = 0; start < bytes.length; turn += 1) {
    const size = sizes[turn % sizes.length]!;
    yield bytes.subarray(start, start + size);
    start += size;
  }
}

async function read(text: string, sizes: readonly number[] = [text.length + 1]): Promise<string[]> {
  const events: string[] = [];
  for await (const batch of readServerSentEvents(inChunks(text, sizes))) events.push(...batch);
  return events;
}

describe("server-sent events", () => {
  it("gives the data of each event", async () => {
    expect(await read('data: {"a":1}\n\ndata:{"b":2}\r\n\r\n')).toEqual(['{"a":1}', '{"b":2}']);
  });

  it("leaves out comments and other fields, and joins lines of data", async () => {
    expect(await read(": hello\n\nevent: x\nid: 7\ndata: one\ndata: two\n\n")).toEqual(["one\ntwo"]);
  });

  it("gives nothing for an event that was cut off", async () => {
    expect(await read("data: whole\n\ndata: hal")).toEqual(["whole"]);
  });

  it("is the same however the bytes arrive", async () => {
    const data = fc.array(fc.string({ unit: "grapheme", minLength: 1 }), { maxLength: 8 });
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(data, sizes, async (values, cuts) => {
        const texts = values.map((value) => JSON.stringify(value));
        const body = texts.map((text) => `data: ${text}\n\n`).join("");
        if (body === "") return;
        expect(await read(body, cuts)).toEqual(texts);
      }),
    );
  });
});
