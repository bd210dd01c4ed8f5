/** Reads a data directory that no daemon works on. Changes nothing in it. */

import { hasPlayMoney } from "../agents/play-money.ts";
import { eventOf } from "../core/encoded-event.ts";
import type { EventOf } from "../core/event.ts";
import { evolve } from "../core/evolve.ts";
import { readLog } from "../core/read-log.ts";
import { toSearchResult } from "../core/search-result.ts";
import { emptyState, parseState } from "../core/session-state.ts";
import type { AskRow, SessionRow } from "../core/store.ts";
import { UsageGroups } from "../core/usage-groups.ts";
import type { AskView, QueuedView, SessionView } from "../protocol/commands/command-types.ts";
import { sessionNotFound } from "../protocol/refusals.ts";
import type { ReadableStore } from "../store/readable-store.ts";
import type { Reader } from "./reader.ts";

const ENTRIES_PER_PAGE = 1000;
const HITS_PER_PAGE = 100;
const BYTES_PER_PAGE = 8 * 1024 * 1024;

/** Closing it closes the store. */
export function storeReader(store: ReadableStore): Reader {
  return {
    async *listSessions(query) {
      let cursor: string | undefined;
      do {
        const page = await store.listSessions({ ...query, cursor });
        yield* page.sessions.map(sessionView);
        cursor = page.cursor;
      } while (cursor !== undefined);
    },
    async session(id) {
      const row = await store.getSession(id);
      if (!row) throw sessionNotFound(id);
      return sessionView(row);
    },
    openAsks: async () => (await store.openAsks()).asks.map(askView),
    queue: (session) => waitingPrompts(store, session),
    async *search(query) {
      let cursor: string | undefined;
      do {
        const page = await store.searchMessages({ ...query, limit: HITS_PER_PAGE, cursor });
        yield* page.hits.map(toSearchResult);
        cursor = page.cursor;
      } while (cursor !== undefined);
    },
    async usage({ by, ...query }) {
      const groups = new UsageGroups(by, hasPlayMoney);
      let cursor: string | undefined;
      do {
        const page = await store.usage({ ...query, limit: ENTRIES_PER_PAGE, cursor });
        for (const row of page.rows) groups.add(row);
        cursor = page.cursor;
      } while (cursor !== undefined);
      return { rows: groups.after().map(({ group }) => group), total: groups.total };
    },
    async *events(session, after, pageSize = ENTRIES_PER_PAGE) {
      for (let last = after; ; ) {
        const { events, head } = await store.readEvents(session, last, pageSize, BYTES_PER_PAGE);
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

/** From the last stored state and what came after it, as a daemon does when it starts. */
async function waitingPrompts(store: ReadableStore, session: string): Promise<QueuedView[]> {
  const stored = await store.loadState(session);
  if (!stored) throw sessionNotFound(session);
  const state = (stored.snapshot && parseState(stored.snapshot.json)) ?? emptyState(session);
  for await (const page of readLog(store, session, state.head))
    for (const encoded of page) evolve(state, eventOf(encoded));
  return Promise.all(
    state.queue.map(async ({ contentSeq, ...prompt }) => {
      const { events } = await store.readEvents(session, contentSeq - 1, 1);
      const { parts } = eventOf(events[0]!) as EventOf<"prompt.accepted" | "prompt.changed">;
      return { ...prompt, parts };
    }),
  );
}

/** In the form in which the daemon shows an open ask. */
function askView({ session, state, opened }: AskRow & { session: string }): AskView {
  const { type: _type, raw: _raw, native: _native, ...rest } = JSON.parse(opened) as EventOf<"ask.opened">;
  return { ...rest, session, state };
}
