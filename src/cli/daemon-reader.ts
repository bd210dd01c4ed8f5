/** Reads through a running daemon. */
import type { RawRecord } from "../core/raw-record.ts";
import type { AskView, SessionView } from "../engine/engine.ts";
import { callJson } from "./daemon-client.ts";
import type { DaemonAddress } from "./find-daemon.ts";
import type { Reader } from "./reader.ts";

const ENTRIES_PER_PAGE = 1000;

export function daemonReader(daemon: DaemonAddress): Reader {
  return {
    listSessions: (query) =>
      callJson<{ sessions: SessionView[]; cursor?: string }>(daemon, "/v1/sessions", { query: { ...query } }),
    session: (id) => callJson<SessionView>(daemon, pathOf(id)),
    async openAsks() {
      const asks: AskView[] = [];
      let cursor: string | undefined;
      do {
        const page = await callJson<{ asks: AskView[]; cursor?: string }>(daemon, "/v1/asks", {
          query: { cursor },
        });
        asks.push(...page.asks);
        cursor = page.cursor;
      } while (cursor !== undefined);
      return asks;
    },
    async *events(session, after) {
      const path = `${pathOf(session)}/events`;
      for (let last = after; ; ) {
        const page = await callJson<{ events: { seq: number }[]; hasMore: boolean }>(daemon, path, {
          query: { after: last, limit: ENTRIES_PER_PAGE },
        });
        for (const event of page.events) yield JSON.stringify(event);
        if (!page.hasMore) return;
        last = page.events.at(-1)!.seq;
      }
    },
    async *records(session) {
      for (let last = 0; ; ) {
        const page = await callJson<{ raws: RawRecord[]; hasMore: boolean }>(
          daemon,
          `${pathOf(session)}/raw`,
          {
            query: { after: last, limit: ENTRIES_PER_PAGE },
          },
        );
        yield* page.raws;
        if (!page.hasMore) return;
        last = page.raws.at(-1)!.rawSeq;
      }
    },
    close: () => Promise.resolve(),
  };
}

function pathOf(session: string): string {
  return `/v1/sessions/${encodeURIComponent(session)}`;
}
