/** The state from the feed so far: every session, every open ask, and whether we are connected. Pure. */
import { stateOf, summarizeSession } from "../../../src/core/session-summary.ts";
import type { Ask, FeedFrame, Presence, Session } from "../api/types.ts";

export type SessionSummary = Extract<FeedFrame, { type: "snapshot" }>["sessions"][number];

export interface FeedState {
  /** `connecting` until the first snapshot; `lost` from a break until the feed is there again; `paused` while nobody looks. */
  connection: "connecting" | "live" | "lost" | "paused";
  /** When it was last broken off; absent until then. */
  lostAt?: number;
  /** Counts the snapshots and resumptions: with each one, everything outside of the feed may have changed, too. */
  snapshots: number;
  /** When the daemon was started; 0 until it is known. */
  startedAt: number;
  sessions: ReadonlyMap<string, SessionSummary>;
  /** Oldest first. */
  asks: readonly Ask[];
  /** Who watches, by session. A session that nobody watches is absent. */
  presence: ReadonlyMap<string, Presence>;
}

export const NOTHING_YET: FeedState = {
  connection: "connecting",
  snapshots: 0,
  startedAt: 0,
  sessions: new Map(),
  asks: [],
  presence: new Map(),
};

/** Adds sessions that the snapshot left out. Those in `told` had a newer frame since, which wins. */
export function addSessions(
  state: FeedState,
  page: readonly Session[],
  told: ReadonlySet<string>,
): FeedState {
  const sessions = new Map(state.sessions);
  for (const row of page) if (!told.has(row.id)) sessions.set(row.id, summarizeSession(row));
  return { ...state, sessions };
}

/** Adds open asks as `addSessions` adds sessions. */
export function addAsks(state: FeedState, page: readonly Ask[], told: ReadonlySet<string>): FeedState {
  const known = new Set(state.asks.map(({ session, ask }) => `${session} ${ask}`));
  const added = page.filter(({ session, ask }) => !told.has(session) && !known.has(`${session} ${ask}`));
  return { ...state, asks: [...state.asks, ...added].sort((a, b) => a.at - b.at) };
}

export function applyFrame(state: FeedState, frame: FeedFrame): FeedState {
  switch (frame.type) {
    case "snapshot":
      return {
        connection: "live",
        snapshots: state.snapshots + 1,
        startedAt: frame.startedAt,
        sessions: new Map(frame.sessions.map((summary) => [summary.session, summary])),
        asks: frame.asks,
        presence: new Map(frame.presence.map(({ session, ...presence }) => [session, presence])),
      };
    case "resumed":
      return { ...state, connection: "live", snapshots: state.snapshots + 1 };
    case "session": {
      const { type: _, ...summary } = frame;
      return { ...state, sessions: new Map(state.sessions).set(summary.session, summary) };
    }
    case "asks": {
      const others = state.asks.filter((ask) => ask.session !== frame.session);
      return { ...state, asks: [...others, ...frame.asks].sort((a, b) => a.at - b.at) };
    }
    case "presence": {
      const { type: _, session, ...told } = frame;
      const presence = new Map(state.presence);
      if (told.total > 0) presence.set(session, told);
      else presence.delete(session);
      return { ...state, presence };
    }
    case "deleted": {
      const [sessions, presence] = [new Map(state.sessions), new Map(state.presence)];
      sessions.delete(frame.session);
      presence.delete(frame.session);
      const asks = state.asks.filter((ask) => ask.session !== frame.session);
      return { ...state, sessions, presence, asks };
    }
    default:
      // A newer daemon may send frames this page does not know.
      return state;
  }
}

/** Where a snapshot left out the session that is looked at, it stays as it was until somebody says more about it. */
export function keepSession(before: FeedState, after: FeedState, session: string | undefined): FeedState {
  const summary = session === undefined ? undefined : before.sessions.get(session);
  if (!summary || after.sessions.has(summary.session)) return after;
  return { ...after, sessions: new Map(after.sessions).set(summary.session, summary) };
}

/** Whether a frame says no more than that a running turn went on. */
export function isProgress({ sessions }: FeedState, frame: FeedFrame): boolean {
  if (frame.type !== "session") return false;
  const { type: _, ...next } = frame;
  const before = sessions.get(next.session);
  return before !== undefined && stateOf(before) === stateOf(next);
}

/** The state as if these sessions were not there. */
export function withoutSessions(state: FeedState, gone: ReadonlySet<string>): FeedState {
  if (gone.size === 0) return state;
  const sessions = new Map([...state.sessions].filter(([id]) => !gone.has(id)));
  return { ...state, sessions, asks: state.asks.filter(({ session }) => !gone.has(session)) };
}
