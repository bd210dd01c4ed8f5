/** Checks before a write that a batch continues each session's log exactly where it ends. */
import { MEMORY_PART_LENGTH, MEMORY_PIECE_BYTES } from "../core/memory-piece.ts";
import type { SessionAppend } from "../core/store.ts";

export interface Heads {
  head: number;
  rawHead: number;
}

/** Throws if the append does not continue the log, which is a bug of the caller. Nothing may be written then. */
export function checkAppend(append: SessionAppend, stored: Heads): void {
  const { session, row } = append;
  let head = stored.head;
  for (const event of append.events) {
    head += 1;
    if (event.seq !== head) {
      throw new Error(
        `Session "${session}": event ${event.seq} does not follow ${head - 1}, the newest event stored.`,
      );
    }
    // One event is one line in the store.
    if (event.json.includes("\n"))
      throw new Error(`Session "${session}": the JSON of event ${head} holds a line break.`);
  }
  let rawHead = stored.rawHead;
  for (const raw of append.raws) {
    rawHead += 1;
    if (raw.rawSeq !== rawHead) {
      throw new Error(
        `Session "${session}": raw record ${raw.rawSeq} does not follow ${rawHead - 1}, the newest record stored.`,
      );
    }
  }
  for (const { part, data } of append.memory ?? [])
    if (data.length > MEMORY_PIECE_BYTES || part.length > MEMORY_PART_LENGTH)
      throw new Error(`Session "${session}": a piece of "${part.slice(0, 100)}" has ${data.length} bytes.`);
  if (row.id !== session) throw new Error(`Session "${session}": its row has the id "${row.id}".`);
  if (row.head !== head || row.rawHead !== rawHead) {
    throw new Error(
      `Session "${session}": its row says head ${row.head} and raw head ${row.rawHead}, its log ends at ${head} and ${rawHead}.`,
    );
  }
}
