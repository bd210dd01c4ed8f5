/** The log of a session, page by page. */
import { useRef, useState } from "react";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { SessionEvent } from "../api/types.ts";
import { useReread } from "../api/use-reread.ts";

const PAGE = 1000;
/** So many fit into a page without trouble. */
export const MAX_EVENTS = 50_000;

export interface SessionLog {
  events: readonly SessionEvent[];
  /** How many there are now. */
  head: number;
  problem?: string;
}

const NOTHING: SessionLog = { events: [], head: 0 };

/** With another snapshot or head what is new is added; without them the log stays as it was found. */
export function useSessionLog(
  session: string,
  { snapshots, head }: { snapshots?: number; head?: number } = {},
): SessionLog {
  const [log, setLog] = useState(NOTHING);
  const loaded = useRef({ session, log: NOTHING });
  useReread({ of: `${session} ${snapshots}`, soon: head }, async (signal) => {
    if (loaded.current.session !== session) loaded.current = { session, log: NOTHING };
    setLog(loaded.current.log);
    try {
      for (let hasMore = true; hasMore && loaded.current.log.events.length < MAX_EVENTS; ) {
        const { events } = loaded.current.log;
        const query = { after: events.at(-1)?.seq ?? 0, limit: PAGE };
        const request = { params: { id: session }, query };
        const page = await daemon().call("GET /v1/sessions/{id}/events", request, signal);
        if (signal.aborted) return;
        const next = { events: [...events, ...page.events], head: page.head };
        hasMore = page.hasMore && page.events.length > 0;
        loaded.current = { session, log: next };
        setLog(next);
      }
    } catch (error) {
      if (!signal.aborted) setLog((before) => ({ ...before, problem: messageOf(error) }));
    }
  });
  return log;
}
