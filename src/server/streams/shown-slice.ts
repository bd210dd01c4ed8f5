/** What a reader is shown of a log: all of it, or without what only those may see who may choose it. */
import { hasRight } from "../../core/rights.ts";
import type { Sink } from "../../dialects/dialect.ts";
import { redactEvent } from "../access/redact-event.ts";
import { LogSlice } from "./log-slice.ts";

/** Names of variables stand in the first event, and in later ones that add some. */
const NAMES = Buffer.from('"env":[');

export function showsAll({ caller }: Sink): boolean {
  return caller === undefined || hasRight(caller.access, "session.program");
}

/** The slice itself, with the frame that all share, where nothing has to be left out. */
export function shownSlice(slice: LogSlice, sink: Sink): LogSlice {
  if (showsAll(sink)) return slice;
  if (slice.first > 1 && !slice.frame.plain.includes(NAMES)) return slice;
  const { events } = slice;
  const shown = events.map(redactEvent);
  return shown.every((event, index) => event === events[index]) ? slice : new LogSlice(shown);
}
