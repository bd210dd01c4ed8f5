/** Measures a message as it is now, for clients that have a part of it. Reads page by page and keeps none. */
import { readLog } from "../../../core/read-log.ts";
import type { Store } from "../../../core/store.ts";
import type { TimeSlices } from "../../../core/time-slices.ts";
import type { WantedMessage } from "../../../dialects/dialect.ts";
import { LogSlice } from "../log-slice.ts";
import type { FrameBatch } from "./frame-batch.ts";
import { MessageResponse } from "./message-response.ts";
import { MessageSearch } from "./message-search.ts";
import { MessageTrack } from "./message-track.ts";

interface Log {
  store: Pick<Store, "readEvents">;
  slices: TimeSlices;
}

/** How many segments of a message a client has that was shown these asks: up to the last of them. */
export async function segmentsShown(
  log: Log,
  wanted: WantedMessage,
  asks: ReadonlySet<string>,
): Promise<number> {
  let segments = 0;
  let shown = 0;
  for await (const { batch } of readMessage(log, wanted)) {
    for (const { mark, ask = "" } of batch.entries) {
      if (mark !== "seam") continue;
      segments += 1;
      if (asks.has(ask)) shown = segments;
    }
  }
  return shown;
}

/** How many frames a response that begins after this many segments has so far. */
export async function countFrames(log: Log, wanted: WantedMessage, segments: number): Promise<number> {
  const ignore = () => {};
  const response = new MessageResponse(
    wanted.format,
    { segments, frames: 0 },
    { write: ignore, writeText: ignore, end: ignore },
  );
  for await (const { batch, page } of readMessage(log, wanted)) {
    response.take(batch, page.first, page.last);
    if (response.isDone) break;
  }
  response.level(wanted.message);
  return response.count;
}

async function* readMessage(
  { store, slices }: Log,
  { session, message, from, facts, format }: WantedMessage,
): AsyncGenerator<{ batch: FrameBatch; page: LogSlice }> {
  const search = new MessageSearch(message, facts);
  let track: MessageTrack | undefined;
  for await (const events of readLog(store, session, from - 1)) {
    await slices.pause();
    const page = new LogSlice(events);
    search.look(page.events);
    if (!search.found) continue;
    track ??= new MessageTrack(search.found.seq, format.createView(search.session));
    const batch = track.take(page);
    yield { batch, page };
    if (batch.entries.some(({ mark }) => mark === "end")) return;
  }
}
