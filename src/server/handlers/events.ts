import { type EncodedEvent, eventOf } from "../../core/encoded-event.ts";
import type { SessionEvent } from "../../core/event.ts";
import { cursorBeyondEnd, sessionNotFound } from "../../protocol/refusals.ts";
import { ANSWER_BYTES, encodePage } from "../answers/answer-page.ts";
import { readRawRange } from "../answers/raw-range.ts";
import { sendList } from "../answers/send-json.ts";
import type { Handlers } from "../mount.ts";
import type { HandlerDependencies } from "./index.ts";

type EventHandlers = Pick<Handlers, "listEvents" | "listRaws">;

export function eventHandlers({ store, slices }: HandlerDependencies): EventHandlers {
  /** Adds the raw records to the events; as many events as fit with them. */
  async function withRaws(session: string, events: readonly EncodedEvent[]): Promise<SessionEvent[]> {
    const parsed = events.map(eventOf);
    const named = parsed.flatMap((event) => event.raw ?? []);
    if (named.length === 0) return parsed;
    const wanted = { first: Math.min(...named), last: Math.max(...named) };
    const { raws, last } = await readRawRange({ store, slices }, session, wanted, ANSWER_BYTES);
    const end = parsed.findIndex((event, index) => index > 0 && (event.raw ?? 0) > last);
    return parsed.slice(0, end < 0 ? undefined : end).map((event) => {
      const rawRecord = event.raw === undefined ? undefined : raws.get(event.raw);
      return rawRecord ? { ...event, rawRecord } : event;
    });
  }

  return {
    async listEvents({ params, query }, context) {
      const after = query.after ?? query.offset ?? 0;
      const { events, head } = await store.readEvents(params.id, after, query.limit, ANSWER_BYTES);
      // A log is never empty.
      if (head === 0) throw sessionNotFound(params.id);
      if (after > head) throw cursorBeyondEnd(params.id, after, head);
      if (query.include === "raw") {
        const shown = await withRaws(params.id, events);
        const { items } = await encodePage(shown, slices);
        const last = shown.at(items.length - 1)?.seq ?? after;
        return sendList(context, "events", items, { head, hasMore: last < head });
      }
      // The stored text is sent as it is: each event is encoded once, when it is made.
      const list = events.map(({ json }) => json);
      return sendList(context, "events", list, { head, hasMore: (events.at(-1)?.seq ?? after) < head });
    },

    async listRaws({ params, query }, context) {
      const { after = 0, limit } = query;
      if (!(await store.getSession(params.id))) throw sessionNotFound(params.id);
      const { raws, head } = await store.readRaws(params.id, after, limit, ANSWER_BYTES);
      if (after > head) throw cursorBeyondEnd(params.id, after, head);
      const { items } = await encodePage(raws, slices);
      const last = raws.at(items.length - 1)?.rawSeq ?? after;
      return sendList(context, "raws", items, { head, hasMore: last < head });
    },
  };
}
