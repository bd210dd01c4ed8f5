/** Sends the raw records of a session as a recording, as fast as the client reads, page by page. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { toRecordingLine } from "../../core/recording-line.ts";
import type { Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import { ALREADY_SENT } from "../already-sent.ts";
import type { AppContext } from "../mount.ts";

const PAGE = 500;
const PAGE_BYTES = 512 * 1024;

interface Reads {
  store: Pick<Store, "readRaws">;
  slices: TimeSlices;
}

/** Up to the record that is the last one now. Rejects if the first page cannot be read; later the answer is cut off. */
export async function sendRecording(context: AppContext, reads: Reads, session: string): Promise<Response> {
  const { head } = await reads.store.readRaws(session, 0, 1, 1);
  const response = context.env.outgoing as ServerResponse;
  response.writeHead(200, {
    ...context.get("headers"),
    "content-type": "application/jsonl; charset=utf-8",
    "content-disposition": `attachment; filename="${session}.recording.jsonl"`,
  });
  if (context.req.method === "HEAD") response.end();
  else void write(response, recordingLines(reads, session, head)).catch((error) => response.destroy(error));
  return ALREADY_SENT;
}

async function* recordingLines(
  { store, slices }: Reads,
  session: string,
  head: number,
): AsyncGenerator<string> {
  let startedAt: number | undefined;
  for (let cursor = 0; cursor < head; ) {
    const { raws } = await store.readRaws(session, cursor, Math.min(PAGE, head - cursor), PAGE_BYTES);
    if (raws.length === 0) return;
    for (const record of raws) {
      startedAt ??= record.at;
      yield `${JSON.stringify(toRecordingLine(record, startedAt))}\n`;
      await slices.pause();
    }
    cursor = raws.at(-1)!.rawSeq;
  }
}

async function write(response: ServerResponse, lines: AsyncIterable<string>): Promise<void> {
  const left = new AbortController();
  response.once("close", () => left.abort());
  for await (const line of lines) {
    if (left.signal.aborted) return;
    if (!response.write(line)) await once(response, "drain", { signal: left.signal }).catch(() => {});
  }
  response.end();
}
