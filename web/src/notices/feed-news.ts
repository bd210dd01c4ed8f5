/** What happened between two states of the feed that somebody who looks elsewhere would want to know. Pure. */
import type { Ask } from "../api/types.ts";
import type { FeedState, SessionSummary } from "../feed/feed-state.ts";

export interface News {
  kind: "ask" | "ended" | "failed";
  session: SessionSummary;
  ask?: Ask;
}

const AT_WORK: ReadonlySet<SessionSummary["status"]> = new Set(["running", "waiting"]);

/** Nothing before the first snapshot: what is there when the page opens is no news. */
export function feedNews(
  before: FeedState,
  after: FeedState,
  canAnswer: (kind: Ask["kind"]) => boolean,
): News[] {
  if (before.snapshots === 0) return [];
  return [...newAsks(before, after, canAnswer), ...endedTurns(before, after)];
}

function newAsks(before: FeedState, after: FeedState, canAnswer: (kind: Ask["kind"]) => boolean): News[] {
  if (before.asks === after.asks) return [];
  const known = new Set(before.asks.map(({ session, ask }) => `${session} ${ask}`));
  return after.asks.flatMap((ask) => {
    const session = after.sessions.get(ask.session);
    const isNew = ask.state === "open" && !known.has(`${ask.session} ${ask.ask}`);
    return session && isNew && canAnswer(ask.kind) ? [{ kind: "ask" as const, session, ask }] : [];
  });
}

function endedTurns(before: FeedState, after: FeedState): News[] {
  if (before.sessions === after.sessions) return [];
  const news: News[] = [];
  for (const [id, session] of after.sessions) {
    const earlier = before.sessions.get(id);
    if (!earlier || earlier === session || !AT_WORK.has(earlier.status)) continue;
    if (session.status === "idle") news.push({ kind: "ended", session });
    else if (session.status === "failed") news.push({ kind: "failed", session });
  }
  return news;
}
