import type { SessionEvent } from "../../core/event.ts";
import type { EncodedEvent } from "../../core/store.ts";
import type { Handlers } from "../mount.ts";
import { readRawRange } from "../raw-range.ts";
import { cursorBeyondEnd, sessionNotFound } from "../refusals.ts";
import type { HandlerDependencies } from "./index.ts";

type EventHandlers = Pick<Handlers, "listEvents" | "listRaws">;

/** A page ends here even when it has fewer entries than were asked for. */
const PAGE_BYTES = 8 * 1024 * 1024;

export function eventHandlers({ store }: HandlerDependencies): EventHandlers {
  /** Puts the raw records beside the events; as many events as fit with them. */
  async function withRaws(session: string, events: readonly EncodedEvent[]): Promise<SessionEvent[]> {
    const parsed = events.map(({ json }) => JSON.parse(json) as SessionEvent);
    const named = parsed.flatMap((event) => event.raw ?? []);
    const { raws, last } = await readRawRange(store, session, named, PAGE_BYTES);
    const end = parsed.findIndex((event, index) => index > 0 && (event.raw ?? 0) > last);
    return parsed.slice(0, end < 0 ? undefined : end).map((event) => {
      const rawRecord = event.raw === undefined ? undefined : raws.get(event.raw);
      return rawRecord ? { ...event, rawRecord } : event;
    });
  }

  return {
    async listEvents({ params, query }, context) {
      const after = query.after ?? query.offset ?? 0;
      const { events, head } = await store.readEvents(params.id, after, query.limit, PAGE_BYTES);
      // A log is never empty.
      if (head === 0) throw sessionNotFound(params.id);
      if (after > head) throw cursorBeyondEnd(params.id, after, head);
      if (query.include === "raw") {
        const shown = await withRaws(params.id, events);
        return { status: 200, body: { events: shown, head, hasMore: (shown.at(-1)?.seq ?? after) < head } };
      }
      // The stored text is sent as it is: it was encoded once, when the event was made.
      const list = events.map(({ json }) => json).join(",");
      const hasMore = (events.at(-1)?.seq ?? after) < head;
      return context.body(`{"events":[${list}],"head":${head},"hasMore":${hasMore}}`, 200, {
        "content-type": "application/json",
      });
    },

    async listRaws({ params, query }) {
      const { after = 0, limit } = query;
      if (!(await store.getSession(params.id))) throw sessionNotFound(params.id);
      const { raws, head } = await store.readRaws(params.id, after, limit, PAGE_BYTES);
      if (after > head) throw cursorBeyondEnd(params.id, after, head);
      return { status: 200, body: { raws, head, hasMore: (raws.at(-1)?.rawSeq ?? after) < head } };
    },
  };
}
