/** Reads through a running daemon. */
import type { RawRecord } from "../core/raw-record.ts";
import type { Client } from "../sdk/client.ts";
import type { Reader } from "./reader.ts";

const ENTRIES_PER_PAGE = 1000;

export function daemonReader(client: Client): Reader {
  const { sessions } = client;
  return {
    listSessions: ({ archived, pinned, ...query }) =>
      sessions.list({
        ...query,
        archived: archived === undefined ? "any" : archived ? "true" : "false",
        ...(pinned !== undefined && { pinned: pinned ? "true" : "false" }),
      }),
    session: (id) => sessions.handle(id).details(),
    openAsks: () => client.asks(),
    async queue(session) {
      const waiting: Awaited<ReturnType<Reader["queue"]>> = [];
      let cursor: string | undefined;
      do {
        const page = await sessions.handle(session).queue({ cursor });
        for (const prompt of page.queue) waiting.push(prompt);
        cursor = page.cursor;
      } while (cursor !== undefined);
      return waiting;
    },
    search: ({ words, session }) => client.search({ q: words, session }),
    async usage({ by, ...query }) {
      const rows: Awaited<ReturnType<Reader["usage"]>>["rows"] = [];
      let cursor: string | undefined;
      while (true) {
        const page = await client.usage({ ...query, by: by.join(","), cursor });
        for (const row of page.rows) rows.push(row);
        cursor = page.cursor;
        if (cursor === undefined) return { rows, total: page.total };
      }
    },
    async *events(session, after, limit = ENTRIES_PER_PAGE) {
      for (let last = after; ; ) {
        const page = await sessions.handle(session).eventsPage({ after: last, limit });
        for (const event of page.events) yield JSON.stringify(event);
        if (!page.hasMore) return;
        last = page.events.at(-1)!.seq;
      }
    },
    async *records(session) {
      for (let last = 0; ; ) {
        const page = await sessions.handle(session).raw({ after: last, limit: ENTRIES_PER_PAGE });
        yield* page.raws as RawRecord[];
        if (!page.hasMore) return;
        last = page.raws.at(-1)!.rawSeq;
      }
    },
    close: () => Promise.resolve(),
  };
}
