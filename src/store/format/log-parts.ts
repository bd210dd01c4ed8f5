/** What an append adds to the log, in parts. */
import type { EncodedEvent } from "../../core/encoded-event.ts";
import { EVENT_FORMAT } from "../../core/event.ts";
import type { SessionAppend } from "../../core/store.ts";
import { BLOCK_BYTES, BLOCK_EVENTS, type LogPart } from "./cut-blocks.ts";

/** About how long the text of an append is. */
export function logBytes({ events }: Pick<SessionAppend, "events">, rawLines: readonly string[]): number {
  let bytes = 0;
  for (const { json } of events) bytes += json.length;
  for (const line of rawLines) bytes += line.length;
  return bytes;
}

/** At most about the size of a block, so that none has to be split later. */
export function* logParts(
  { events, raws, row }: SessionAppend,
  rawLines: readonly string[],
): Generator<LogPart> {
  if (events.length === 0 && raws.length === 0) return;
  const bytes = logBytes({ events }, rawLines);
  const count = Math.ceil(Math.max(1, bytes / BLOCK_BYTES, events.length / BLOCK_EVENTS));
  const first = row.head - events.length + 1;
  const rawFirst = row.rawHead - raws.length + 1;
  for (let index = 0; index < count; index += 1) {
    // Spread evenly, so that each event is near its record.
    const from = Math.floor((index * events.length) / count);
    const to = Math.floor(((index + 1) * events.length) / count);
    const rawFrom = Math.floor((index * raws.length) / count);
    const rawTo = Math.floor(((index + 1) * raws.length) / count);
    // Where one event is larger than a block.
    if (from === to && rawFrom === rawTo) continue;
    yield {
      first: first + from,
      last: first + to - 1,
      raw_first: rawFirst + rawFrom,
      raw_last: rawFirst + rawTo - 1,
      format: EVENT_FORMAT,
      events: jsonLines(events.slice(from, to)),
      raws: rawLines.slice(rawFrom, rawTo).join("\n"),
    };
  }
}

function jsonLines(events: readonly EncodedEvent[]): string {
  return events.map(({ json }) => json).join("\n");
}
