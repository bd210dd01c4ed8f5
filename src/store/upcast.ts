/**
 * Events of older formats, read as today's. Stored events are never rewritten: each block names the format it was
 * written with, and these steps run when it is read. A new EVENT_FORMAT needs a step here and a migration beside it
 * (sqlite/migrate.ts), so that an older program refuses the database instead of misreading it.
 */
import { EVENT_FORMAT } from "../core/event.ts";

type StoredEvent = Record<string, unknown>;

export interface Upcaster {
  /** The format it reads; it gives events of the next one. */
  from: number;
  upcast(event: StoredEvent): StoredEvent;
}

export const UPCASTERS: readonly Upcaster[] = [
  {
    // Format 0 said `kind` for `type`, and `time` as an ISO string.
    from: 0,
    upcast({ kind, time, ...rest }) {
      return { ...rest, at: Date.parse(String(time)), type: kind };
    },
  },
];

/** The JSON of one stored event in today's format. */
export function upcastEvent(json: string, format: number): string {
  if (format === EVENT_FORMAT) return json;
  if (format > EVENT_FORMAT) {
    throw new Error(
      `An event has format ${format}, this version of Interlingua reads up to ${EVENT_FORMAT}. Use the version that wrote it or a newer one.`,
    );
  }
  let event = JSON.parse(json) as StoredEvent;
  for (let version = format; version < EVENT_FORMAT; version += 1) {
    const step = UPCASTERS.find((upcaster) => upcaster.from === version);
    if (!step) throw new Error(`There is no way to read events of format ${version}.`);
    event = step.upcast(event);
  }
  return JSON.stringify(event);
}
