/** The client of the benchmarks finds every chunk once, however its stream was cut. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setImmediate as turnOfTheLoop } from "node:timers/promises";
import { promisify } from "node:util";
import fc from "fast-check";
import { expect, it } from "vitest";
import { clock } from "../bench/harness/clock.ts";
import { chunkText, moment } from "../bench/peers/chunk-text.ts";
import { StreamReader } from "../bench/peers/stream-reader.ts";

const HEAD = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
const CHUNKS = 40;
const CLOCK = new URL("../bench/harness/clock.ts", import.meta.url).href;

const bodies = {
  whole: Array.from({ length: CHUNKS }, (_, index) => index + 1),
  withGaps: Array.from({ length: CHUNKS }, (_, index) => index * 3 + 1),
};

/** Sends the text in these pieces to whoever connects, and reads it. */
async function read(body: string, cuts: readonly number[]): Promise<StreamReader> {
  const places = [0, ...cuts.map((cut) => cut % body.length).sort((a, b) => a - b), body.length];
  const server = createServer(async (socket) => {
    socket.setNoDelay();
    socket.write(HEAD);
    for (const [index, start] of places.slice(0, -1).entries()) {
      await turnOfTheLoop();
      socket.write(body.slice(start, places[index + 1]));
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const address = { url: `http://127.0.0.1:${port}`, path: "/", end: '"the end"' };
  const reader = await StreamReader.open(address, { latencies: true, eventIds: true });
  await reader.until(() => reader.turns > 0);
  reader.close();
  server.close();
  return reader;
}

it.each(Object.entries(bodies))("every chunk of a stream is counted once: %s", async (_name, numbers) => {
  const events = numbers.map((number) => `id: ${number}\ndata: "${chunkText(number, moment())}"\n\n`);
  const body = `${events.join("")}id: 999\ndata: "the end"\n\n`;
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(), { maxLength: 30 }), async (cuts) => {
      const reader = await read(body, cuts);
      const { chunks, disorder, turns, lastEventId, latencies } = reader;
      expect({ chunks, disorder, turns, lastEventId }).toEqual({
        chunks: CHUNKS,
        disorder: 0,
        turns: 1,
        lastEventId: 999,
      });
      expect(latencies).not.toHaveLength(0);
      expect(latencies.every((latency) => latency >= 0)).toBe(true);
    }),
    { numRuns: 25 },
  );
});

it("chunks that come twice or late are told apart from those that come once", async () => {
  const body = [1, 2, 2, 5, 4].map((number) => `data: "${chunkText(number, moment())}"\n\n`).join("");
  const { chunks, disorder } = await read(`${body}data: "the end"\n\n`, []);
  expect({ chunks, disorder }).toEqual({ chunks: 3, disorder: 2 });
});

it("the clock of another process agrees with ours", async () => {
  const script = `import(${JSON.stringify(CLOCK)}).then(({ clock }) => console.log(clock()))`;
  const before = clock();
  const { stdout } = await promisify(execFile)(process.execPath, ["-e", script]);
  expect(before).toBeLessThan(Number(stdout));
  expect(Number(stdout)).toBeLessThan(clock());
});
