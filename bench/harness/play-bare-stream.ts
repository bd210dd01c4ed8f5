/** Sends the bytes of a stream from a bare server: what any server in Node has to pay for them. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { BareServer } from "./bare-server.ts";
import { measure, type Sample } from "./rounds.ts";
import { SseReader } from "./sse-reader.ts";

/** A server that has this body in memory, as a recorded stream of ours. */
export async function startBareStream(directory: string, body: readonly Buffer[]): Promise<BareServer> {
  const file = join(directory, "body");
  await writeFile(file, body);
  return BareServer.start("event-server.ts", file);
}

export async function playBareStream(
  server: BareServer,
  { readers: count, bytes, last }: { readers: number; bytes: number; last: string },
): Promise<Sample> {
  const { url } = server;
  const readers = await Promise.all(
    Array.from({ length: count }, () => SseReader.open({ url, path: "/stream", last })),
  );
  const sample = await measure(async () => {
    await fetch(`${url}/go`);
    await Promise.all(readers.map(({ finished }) => finished));
  }, server.cpu);
  for (const reader of readers) {
    if (reader.bytes !== bytes) throw new Error(`A reader got ${reader.bytes} bytes instead of ${bytes}.`);
    reader.close();
  }
  return sample;
}
