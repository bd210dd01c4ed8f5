/** Reads through a running daemon. */
import type { AskView, SessionView } from "../engine/engine.ts";
import { callJson } from "./daemon-client.ts";
import type { DaemonAddress } from "./find-daemon.ts";
import type { Reader } from "./reader.ts";

const EVENTS_PER_PAGE = 1000;

export function daemonReader(daemon: DaemonAddress): Reader {
  return {
    listSessions: (query) =>
      callJson<{ sessions: SessionView[]; cursor?: string }>(daemon, "/v1/sessions", { query: { ...query } }),
    openAsks: async () => (await callJson<{ asks: AskView[] }>(daemon, "/v1/asks")).asks,
    async *events(session, after) {
      const path = `/v1/sessions/${encodeURIComponent(session)}/events`;
      for (let last = after; ; ) {
        const page = await callJson<{ events: { seq: number }[]; hasMore: boolean }>(daemon, path, {
          query: { after: last, limit: EVENTS_PER_PAGE },
        });
        for (const event of page.events) yield JSON.stringify(event);
        if (!page.hasMore) return;
        last = page.events.at(-1)!.seq;
      }
    },
    close: () => Promise.resolve(),
  };
}
