import { expect, test } from "vitest";
import type { Ask, FeedFrame } from "../api/types.ts";
import { applyFrame, NOTHING_YET, type SessionNews } from "./feed-state.ts";

function news(session: string, more: Partial<SessionNews> = {}): SessionNews {
  return { session, agent: "mock", status: "idle", head: 1, openAsks: 0, queued: 0, updatedAt: 1, ...more };
}

function ask(session: string, id: string, at: number): Ask {
  return { session, ask: id, kind: "permission", state: "open", title: id, options: [], at, seq: at };
}

const snapshot: FeedFrame = {
  type: "snapshot",
  sessions: [news("a"), news("b")],
  asks: [ask("a", "a1", 5)],
};

test("a snapshot replaces everything and means that we are connected", () => {
  const state = applyFrame(applyFrame(NOTHING_YET, snapshot), {
    ...snapshot,
    sessions: [news("b")],
    asks: [],
  });
  expect(state).toMatchObject({ connection: "live", snapshots: 2, asks: [] });
  expect([...state.sessions.keys()]).toEqual(["b"]);
});

test("news of a session replace what was known of it", () => {
  const state = applyFrame(applyFrame(NOTHING_YET, snapshot), {
    type: "session",
    ...news("a", { status: "running", head: 9 }),
  });
  expect(state.sessions.get("a")).toEqual(news("a", { status: "running", head: 9 }));
  expect(state.sessions.get("b")).toEqual(news("b"));
});

test("the asks of one session are replaced, and all stay in order", () => {
  const state = applyFrame(applyFrame(NOTHING_YET, snapshot), {
    type: "asks",
    session: "b",
    asks: [ask("b", "b1", 3), ask("b", "b2", 8)],
  });
  expect(state.asks.map(({ ask }) => ask)).toEqual(["b1", "a1", "b2"]);
  expect(applyFrame(state, { type: "asks", session: "b", asks: [] }).asks).toHaveLength(1);
});

test("a deleted session takes its asks with it", () => {
  const state = applyFrame(applyFrame(NOTHING_YET, snapshot), { type: "deleted", session: "a" });
  expect([...state.sessions.keys()]).toEqual(["b"]);
  expect(state.asks).toEqual([]);
});

test("a frame of a newer daemon changes nothing", () => {
  expect(applyFrame(NOTHING_YET, { type: "weather" } as unknown as FeedFrame)).toBe(NOTHING_YET);
});
