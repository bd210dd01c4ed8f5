/** The log of a session, page by page. */
import { useEffect, useRef, useState } from "react";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { SessionEvent } from "../api/types.ts";

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

/** With another `newest` what is new is added; without it the log stays as it was found. */
export function useSessionLog(session: string, newest?: string): SessionLog {
  const [log, setLog] = useState(NOTHING);
  const loaded = useRef({ session, log: NOTHING });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another newest entry is a reason to go on
  useEffect(() => {
    if (loaded.current.session !== session) loaded.current = { session, log: NOTHING };
    const controller = new AbortController();
    async function load() {
      for (let hasMore = true; hasMore && loaded.current.log.events.length < MAX_EVENTS; ) {
        const { events } = loaded.current.log;
        const query = { after: events.at(-1)?.seq ?? 0, limit: PAGE };
        const request = { params: { id: session }, query };
        const page = await daemon().call("GET /v1/sessions/{id}/events", request, controller.signal);
        if (controller.signal.aborted) return;
        const next = { events: [...events, ...page.events], head: page.head };
        hasMore = page.hasMore && page.events.length > 0;
        loaded.current = { session, log: next };
        setLog(next);
      }
    }
    setLog(loaded.current.log);
    load().catch((error) => {
      if (!controller.signal.aborted) setLog((before) => ({ ...before, problem: messageOf(error) }));
    });
    return () => controller.abort();
  }, [session, newest]);
  return log;
}
