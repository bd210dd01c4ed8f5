import { expect, test } from "vitest";
import { groupSessions, type ListedSession, matches, passes } from "./group-sessions.ts";

function session(id: string, more: Partial<ListedSession> = {}): ListedSession {
  return {
    session: id,
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

test("what needs a person comes first, then what runs, then the rest by age", () => {
  const groups = groupSessions(
    [
      session("old", { updatedAt: 1 }),
      session("new", { updatedAt: 9 }),
      session("run", { status: "running" }),
      session("ask", { status: "waiting" }),
      session("failed", { status: "failed", updatedAt: 5 }),
    ],
    "Needs you",
  );
  expect(groups.map(({ name, sessions }) => [name, ...sessions.map((one) => one.session)])).toEqual([
    ["Needs you", "ask"],
    ["Running", "run"],
    ["Recent", "new", "failed", "old"],
  ]);
});

test("running sessions keep their places while they change", () => {
  const first = session("a", { status: "running", createdAt: 2, updatedAt: 1 });
  const second = session("b", { status: "running", createdAt: 1, updatedAt: 99 });
  expect(groupSessions([second, first], "Needs you")[0]!.sessions).toEqual([first, second]);
});

test("search looks at title, id, agent and directory, and takes what the daemon found", () => {
  const one = session("s1", { title: "Fix the login", cwd: "/home/me/shop" });
  expect(matches(one, "login shop", new Set())).toBe(true);
  expect(matches(one, "logout", new Set())).toBe(false);
  expect(matches(one, "logout", new Set(["s1"]))).toBe(true);
});

test("filters", () => {
  expect(passes(session("a", { status: "running" }), "active")).toBe(true);
  expect(passes(session("a", { status: "running" }), "waiting")).toBe(false);
  expect(passes(session("a"), "all")).toBe(true);
});
