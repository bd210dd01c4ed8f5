/** The log of a session for a replay, page by page. */
import { useEffect, useState } from "react";
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

export function useSessionLog(session: string): SessionLog {
  const [log, setLog] = useState<SessionLog>({ events: [], head: 0 });
  useEffect(() => {
    const controller = new AbortController();
    async function load() {
      const events: SessionEvent[] = [];
      for (let hasMore = true; hasMore && events.length < MAX_EVENTS; ) {
        const query = { after: events.at(-1)?.seq ?? 0, limit: PAGE };
        const request = { params: { id: session }, query };
        const page = await daemon().call("GET /v1/sessions/{id}/events", request, controller.signal);
        events.push(...page.events);
        hasMore = page.hasMore && page.events.length > 0;
        setLog({ events: [...events], head: page.head });
      }
    }
    setLog({ events: [], head: 0 });
    load().catch((error) => {
      if (!controller.signal.aborted) setLog((before) => ({ ...before, problem: messageOf(error) }));
    });
    return () => controller.abort();
  }, [session]);
  return log;
}
