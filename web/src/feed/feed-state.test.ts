import { expect, test } from "vitest";
import type { Ask, FeedFrame, Presence, Session } from "../api/types.ts";
import {
  addAsks,
  addSessions,
  applyFrame,
  isProgress,
  keepSession,
  NOTHING_YET,
  type SessionSummary,
} from "./feed-state.ts";

type Viewer = Presence["viewers"][number];

function summary(session: string, more: Partial<SessionSummary> = {}): SessionSummary {
  return {
    session,
    agent: "mock",
    cwd: "/",
    status: "idle",
    head: 1,
    openAsks: 0,
    queued: 0,
    createdAt: 1,
    updatedAt: 1,
    ...more,
  };
}

function ask(session: string, id: string, at: number): Ask {
  return { session, ask: id, kind: "permission", state: "open", title: id, options: [], at, seq: at };
}

function viewer(name: string): Viewer {
  return { name, role: "observer", dialect: "v1", since: 1, count: 1 };
}

const snapshot: FeedFrame = {
  type: "snapshot",
  sessions: [summary("a"), summary("b")],
  asks: [ask("a", "a1", 5)],
  presence: [{ session: "a", viewers: [viewer("ada")], total: 1 }],
  startedAt: 1,
};

test("a feed that goes on keeps what is known, and is live again", () => {
  const before = { ...applyFrame(NOTHING_YET, snapshot), connection: "lost" } as const;
  const state = applyFrame(before, { type: "resumed" });
  expect(state).toEqual({ ...before, connection: "live", snapshots: 2 });
});

test("a snapshot replaces everything and means that we are connected", () => {
  const state = applyFrame(applyFrame(NOTHING_YET, snapshot), {
    ...snapshot,
    sessions: [summary("b")],
    asks: [],
  });
  expect(state).toMatchObject({ connection: "live", snapshots: 2, asks: [] });
  expect([...state.sessions.keys()]).toEqual(["b"]);
});

test("a new summary of a session replaces the old one", () => {
  const state = applyFrame(applyFrame(NOTHING_YET, snapshot), {
    type: "session",
    ...summary("a", { status: "running", head: 9 }),
  });
  expect(state.sessions.get("a")).toEqual(summary("a", { status: "running", head: 9 }));
  expect(state.sessions.get("b")).toEqual(summary("b"));
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

test("who watches a session is replaced; a session that nobody watches is not kept", () => {
  const viewers = [viewer("ada"), viewer("ben")];
  const state = applyFrame(applyFrame(NOTHING_YET, snapshot), {
    type: "presence",
    session: "b",
    viewers,
    total: 2,
  });
  expect([...state.presence]).toEqual([
    ["a", { viewers: [viewer("ada")], total: 1 }],
    ["b", { viewers, total: 2 }],
  ]);
  const left = applyFrame(state, { type: "presence", session: "b", viewers: [], total: 0 });
  expect([...left.presence.keys()]).toEqual(["a"]);
});

test("a deleted session takes its asks and its viewers with it", () => {
  const state = applyFrame(applyFrame(NOTHING_YET, snapshot), { type: "deleted", session: "a" });
  expect([...state.sessions.keys()]).toEqual(["b"]);
  expect(state.asks).toEqual([]);
  expect([...state.presence]).toEqual([]);
});

test("a frame of a newer daemon changes nothing", () => {
  expect(applyFrame(NOTHING_YET, { type: "weather" } as unknown as FeedFrame)).toBe(NOTHING_YET);
});

test("that a session went on is told from everything else that a frame can say", () => {
  const session = (more: Partial<SessionSummary>, id = "a"): FeedFrame => ({
    type: "session",
    ...summary(id, more),
  });
  const state = applyFrame(
    applyFrame(NOTHING_YET, snapshot),
    session({ status: "running", cutOffAt: undefined }),
  );
  expect(isProgress(state, session({ status: "running", head: 9, updatedAt: 9 }))).toBe(true);
  expect(isProgress(state, session({ status: "waiting", head: 9 }))).toBe(false);
  expect(isProgress(state, session({ status: "running", head: 9, queued: 1 }))).toBe(false);
  expect(isProgress(state, session({ status: "running", head: 9, title: "New" }))).toBe(false);
  expect(isProgress(state, session({ head: 9 }, "new"))).toBe(false);
  expect(isProgress(state, { type: "deleted", session: "a" })).toBe(false);
  const named = applyFrame(state, session({ status: "running", title: "Named" }));
  expect(isProgress(named, session({ status: "running", head: 9 }))).toBe(false);
});

test("what a snapshot left out is added, but not over what was told since", () => {
  const row = (id: string): Session => ({ ...summary(id), id, cwd: "/", createdAt: 1, rawHead: 0 });
  const state = applyFrame(applyFrame(NOTHING_YET, snapshot), {
    type: "session",
    ...summary("c", { head: 7 }),
  });
  const { sessions } = addSessions(state, [row("c"), row("d"), row("gone")], new Set(["c", "gone"]));
  expect([...sessions].map(([id, { head }]) => [id, head])).toEqual([
    ["a", 1],
    ["b", 1],
    ["c", 7],
    ["d", 1],
  ]);
  const { asks } = addAsks(state, [ask("a", "a1", 5), ask("b", "b1", 2), ask("c", "c1", 3)], new Set(["c"]));
  expect(asks.map(({ ask }) => ask)).toEqual(["b1", "a1"]);
});

test("a session that is looked at stays although a snapshot leaves it out", () => {
  const before = applyFrame(applyFrame(NOTHING_YET, snapshot), {
    type: "session",
    ...summary("old", { head: 7 }),
  });
  const after = applyFrame(before, snapshot);
  expect(after.sessions.has("old")).toBe(false);
  expect(keepSession(before, after, "old").sessions.get("old")).toEqual(summary("old", { head: 7 }));
  // What the snapshot says is newer, and nobody looks at the others.
  const told = applyFrame(before, { ...snapshot, sessions: [summary("old", { head: 9 })] } as FeedFrame);
  expect(keepSession(before, told, "old")).toBe(told);
  expect(keepSession(before, after, undefined)).toBe(after);
  expect(keepSession(before, after, "unknown")).toBe(after);
});
