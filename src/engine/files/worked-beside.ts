/** Whether agents of other sessions worked on the same files, by what is stored: a daemon that died told nobody. */
import { eventOf } from "../../core/encoded-event.ts";
import { overlap } from "../../core/is-inside.ts";
import type { SessionState } from "../../core/session-state.ts";
import type { Store } from "../../core/store.ts";

type Reads = Pick<Store, "listSessions" | "listMessages" | "readEvents">;

const PAGE_SESSIONS = 100;

/** @param since In milliseconds since the epoch. */
export async function hasWorkedBeside(
  store: Reads,
  { id, cwd }: Pick<SessionState, "id" | "cwd">,
  since: number,
): Promise<boolean> {
  let cursor: string | undefined;
  do {
    const page = await store.listSessions({ limit: PAGE_SESSIONS, cursor });
    for (const row of page.sessions) {
      // Last changed first.
      if (row.updatedAt < since) return false;
      if (row.id !== id && overlap(row.cwd, cwd) && (await lastMessageAt(store, row.id)) >= since)
        return true;
    }
    cursor = page.cursor;
  } while (cursor !== undefined);
  return false;
}

async function lastMessageAt(store: Reads, session: string): Promise<number> {
  const { messages } = await store.listMessages(session, { limit: 1, withoutRecords: true });
  const last = messages.at(-1);
  return last ? timeOf(store, session, last.lastSeq) : 0;
}

/** When an event was. 0 for one that is not there. */
export async function timeOf(
  store: Pick<Store, "readEvents">,
  session: string,
  seq: number,
): Promise<number> {
  const { events } = await store.readEvents(session, seq - 1, 1);
  return events[0] ? eventOf(events[0]).at : 0;
}
