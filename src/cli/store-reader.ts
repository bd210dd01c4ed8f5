/** Reads a data directory that no daemon works on. Changes nothing in it. */

import type { EventOf } from "../core/event.ts";
import type { AskRow, SessionRow } from "../core/store.ts";
import type { AskView, SessionView } from "../engine/engine.ts";
import { sessionNotFound } from "../protocol/refusals.ts";
import type { ReadableStore } from "../store/readable-store.ts";
import type { Reader } from "./reader.ts";

const ENTRIES_PER_PAGE = 1000;
const BYTES_PER_PAGE = 8 * 1024 * 1024;

/** Closing it closes the store. */
export function storeReader(store: ReadableStore): Reader {
  return {
    async listSessions(query) {
      const { sessions, cursor } = await store.listSessions(query);
      return { sessions: sessions.map(sessionView), cursor };
    },
    async session(id) {
      const row = await store.getSession(id);
      if (!row) throw sessionNotFound(id);
      return sessionView(row);
    },
    openAsks: async () => (await store.openAsks()).asks.map(askView),
    async *events(session, after) {
      for (let last = after; ; ) {
        const { events, head } = await store.readEvents(session, last, ENTRIES_PER_PAGE, BYTES_PER_PAGE);
        if (head === 0) throw sessionNotFound(session);
        if (last > head)
          throw new Error(`--after: the log of session "${session}" ends at ${head}. Give that or less.`);
        for (const event of events) yield event.json;
        last = events.at(-1)?.seq ?? head;
        if (last === head) return;
      }
    },
    async *records(session) {
      for (let last = 0; ; ) {
        const { raws, head } = await store.readRaws(session, last, ENTRIES_PER_PAGE, BYTES_PER_PAGE);
        yield* raws;
        last = raws.at(-1)?.rawSeq ?? head;
        if (last === head) return;
      }
    },
    close: () => store.close(),
  };
}

function sessionView({ request: _request, ...view }: SessionRow): SessionView {
  return view;
}

/** In the form in which the daemon shows an open ask. */
function askView({ session, state, opened }: AskRow & { session: string }): AskView {
  const { type: _type, raw: _raw, native: _native, ...rest } = JSON.parse(opened) as EventOf<"ask.opened">;
  return { ...rest, session, state };
}
