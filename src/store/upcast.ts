/**
 * Events of older formats, read as today's. Stored events are never rewritten: each block names the format it was
 * written with, and these steps run when it is read. A new EVENT_FORMAT needs a step here and one for the tables
 * (sqlite/steps.ts), so that an older program refuses the database instead of misreading it.
 */
import { EVENT_FORMAT } from "../core/event.ts";
import { DamagedDataError, parseStored } from "./damaged-data.ts";

type StoredEvent = Record<string, unknown>;

export interface Upcaster {
  /** The format it reads; it returns events of the next one. */
  from: number;
  upcast(event: StoredEvent): StoredEvent;
}

/** None yet: today's format is the first one that was released. */
export const UPCASTERS: readonly Upcaster[] = [];

/** The JSON of one stored event in today's format. */
export function upcastEvent(json: string, format: number, upcasters = UPCASTERS): string {
  if (format === EVENT_FORMAT) return json;
  if (format > EVENT_FORMAT) {
    // A newer version would also have raised the version of the tables.
    throw new DamagedDataError(`an event has format ${format}, and there are none above ${EVENT_FORMAT}`);
  }
  let event = parseStored<StoredEvent>(json, "an event");
  for (let version = format; version < EVENT_FORMAT; version += 1) {
    const step = upcasters.find((upcaster) => upcaster.from === version);
    if (!step) throw new DamagedDataError(`an event has format ${version}, which none can have`);
    event = step.upcast(event);
  }
  return JSON.stringify(event);
}
