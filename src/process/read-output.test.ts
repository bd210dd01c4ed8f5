import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { readOutput } from "./read-output.ts";

async function countBytes(output: AsyncIterable<Buffer>): Promise<number> {
  let bytes = 0;
  for await (const chunk of output) bytes += chunk.length;
  return bytes;
}

describe("readOutput", () => {
  it("leaves a stream that still floods after the exit", async () => {
    const chunk = Buffer.alloc(64 * 1024);
    const stream = new Readable({
      read() {
        this.push(chunk);
      },
    });
    const bytes = await countBytes(readOutput(stream, Promise.resolve()));
    expect(bytes).toBeGreaterThan(1024 * 1024);
    expect(stream.destroyed).toBe(true);
  });

  it("ends without an error when the pipe breaks, after what had come", async () => {
    const stream = new Readable({ read() {} });
    stream.push(Buffer.from("before"));
    const counting = countBytes(readOutput(stream, new Promise(() => {})));
    setImmediate(() => stream.destroy(new Error("ECONNRESET")));
    expect(await counting).toBe(6);
  });
});
