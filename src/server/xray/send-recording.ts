/** Sends the raw records of a session as a recording, as fast as the client reads, page by page. */
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { jsonPieces } from "../../core/long-json.ts";
import { recordingLineSteps } from "../../core/recording-line.ts";
import { finishInSlices } from "../../core/steps.ts";
import type { Store } from "../../core/store.ts";
import type { TimeSlices } from "../../core/time-slices.ts";
import { ALREADY_SENT } from "../answers/already-sent.ts";
import type { AppContext } from "../mount.ts";

const PAGE = 500;
const PAGE_BYTES = 512 * 1024;

/** Shorter pieces are written together. */
const WRITE_LENGTH = 64 * 1024;

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
  else void write(response, recordingPieces(reads, session, head)).catch((error) => response.destroy(error));
  return ALREADY_SENT;
}

/** The lines in pieces: one may have many megabytes. */
async function* recordingPieces(
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
      const line = await finishInSlices(recordingLineSteps(record, startedAt), slices);
      for (const piece of jsonPieces(line)) {
        yield piece;
        const pause = slices.pause();
        if (pause) await pause;
      }
      yield "\n";
    }
    cursor = raws.at(-1)!.rawSeq;
  }
}

async function write(response: ServerResponse, pieces: AsyncIterable<string>): Promise<void> {
  const left = new AbortController();
  response.once("close", () => left.abort());
  let text = "";
  for await (const piece of pieces) {
    if (left.signal.aborted) return;
    text += piece;
    if (text.length < WRITE_LENGTH) continue;
    if (!response.write(text)) await once(response, "drain", { signal: left.signal }).catch(() => {});
    text = "";
  }
  response.end(text);
}
