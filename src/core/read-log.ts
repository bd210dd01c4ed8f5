/** Reads a log page by page. */
import type { EncodedEvent } from "./encoded-event.ts";
import type { Store } from "./store.ts";

const PAGE_EVENTS = 1000;
const PAGE_BYTES = 256 * 1024;

/**
 * Pages of the events after `after`, up to `end` where that is given, none of them empty. It ends where the log ends now.
 *
 * @example for await (const page of readLog(store, "s", 0)) for (const encoded of page) show(eventOf(encoded));
 */
export async function* readLog(
  store: Pick<Store, "readEvents">,
  session: string,
  after: number,
  end = Number.POSITIVE_INFINITY,
): AsyncGenerator<readonly EncodedEvent[], void> {
  let cursor = after;
  while (cursor < end) {
    const limit = Math.min(PAGE_EVENTS, end - cursor);
    const { events } = await store.readEvents(session, cursor, limit, PAGE_BYTES);
    const last = events.at(-1);
    if (!last) return;
    yield events;
    cursor = last.seq;
  }
}
