import { expect, test } from "vitest";
import type { SessionSummary } from "../feed/feed-state.ts";
import { directoryNames } from "./directory-names.ts";
import { findSessions, type Grouping, groupSessions } from "./group-sessions.ts";
import { listedSession } from "./listed-session.test-support.ts";

const NOW = new Date(2026, 5, 15, 12).getTime();
const HOUR = 3_600_000;

function grouped(sessions: readonly SessionSummary[], by: Grouping = "state"): string[][] {
  const directories = directoryNames(sessions.map(({ cwd }) => cwd));
  return groupSessions(sessions, { by, waitingName: "Needs you", directories, now: NOW }).map(
    ({ name, rows }) => [name, ...rows.map(({ session, depth }) => ">".repeat(depth) + session.session)],
  );
}

test("what needs a person comes first, then what is pinned, then what runs, then the rest by age", () => {
  expect(
    grouped([
      listedSession("old", { updatedAt: NOW - 900 * HOUR }),
      listedSession("week", { updatedAt: NOW - 100 * HOUR }),
      listedSession("yesterday", { updatedAt: NOW - 13 * HOUR }),
      listedSession("new", { updatedAt: NOW - 1 }),
      listedSession("failed", { status: "failed", updatedAt: NOW - HOUR }),
      listedSession("ahead", { updatedAt: NOW + 48 * HOUR }),
      listedSession("run", { status: "running" }),
      listedSession("ask", { status: "waiting" }),
      listedSession("pinned", { pinned: true }),
      listedSession("pinned-ask", { status: "waiting", pinned: true, updatedAt: 2 }),
    ]),
  ).toEqual([
    ["Needs you", "pinned-ask", "ask"],
    ["Pinned", "pinned"],
    ["Running", "run"],
    ["Today", "ahead", "new", "failed"],
    ["Yesterday", "yesterday"],
    ["Last 7 days", "week"],
    ["Older", "old"],
  ]);
});

test("what ended badly and was not seen stands below what waits, however old", () => {
  const sessions = [
    listedSession("failed", { status: "failed", updatedAt: NOW - 1 }),
    listedSession("cut", { cutOffAt: 1, updatedAt: NOW - 900 * HOUR, pinned: true }),
    listedSession("ask", { status: "waiting", updatedAt: NOW - 2 }),
    listedSession("new", { updatedAt: NOW }),
  ];
  const groups = groupSessions(sessions, {
    ...{ by: "state", waitingName: "Needs you", directories: new Map(), now: NOW },
    wantsLook: ({ session }) => session === "cut" || session === "failed",
  });
  expect(groups.map(({ name, rows }) => [name, ...rows.map(({ session }) => session.session)])).toEqual([
    ["Needs you", "ask", "failed", "cut"],
    ["Today", "new"],
  ]);
});

test("by directory: the one with the newest session first, names that differ, pinned ones above all", () => {
  expect(
    grouped(
      [
        listedSession("a", { cwd: "/x/shop/web", createdAt: 1, updatedAt: 99 }),
        listedSession("b", { cwd: "/x/docs/web", createdAt: 3 }),
        listedSession("c", { cwd: "/x/shop/web", createdAt: 2, status: "waiting" }),
        listedSession("d", { cwd: "/x/api", pinned: true }),
      ],
      "directory",
    ),
  ).toEqual([
    ["Pinned", "d"],
    ["docs/web", "b"],
    ["shop/web", "c", "a"],
  ]);
});

test("running sessions keep their places while they change", () => {
  const first = listedSession("a", { status: "running", createdAt: 2, updatedAt: 1 });
  const second = listedSession("b", { status: "running", createdAt: 1, updatedAt: 99 });
  expect(grouped([second, first])).toEqual([["Running", "a", "b"]]);
});

test("a fork stands below its origin where both are in one group, else by itself", () => {
  const fork = listedSession("fork", { forkedFrom: { session: "origin" }, updatedAt: NOW });
  const origin = listedSession("origin", { updatedAt: NOW - HOUR });
  expect(grouped([fork, origin])).toEqual([["Today", "origin", ">fork"]]);
  expect(grouped([fork, { ...origin, status: "running" }])).toEqual([
    ["Running", "origin"],
    ["Today", "fork"],
  ]);
});

test("search looks at title, id, agent and directory, and gives the newest first", () => {
  const one = listedSession("s1", { title: "Fix the login", cwd: "/home/me/shop" });
  const two = listedSession("s2", {
    title: "login again",
    cwd: "/home/me/shop",
    updatedAt: 2,
    archived: true,
  });
  const found = (words: string) => findSessions([one, two], words).rows.map(({ session }) => session.session);
  expect(found("LOGIN  shop")).toEqual(["s2", "s1"]);
  expect(found("fix")).toEqual(["s1"]);
  expect(found("logout")).toEqual([]);
});
