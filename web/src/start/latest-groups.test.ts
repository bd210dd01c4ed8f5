import { expect, test } from "vitest";
import { listedSession } from "../sessions/listed-session.test-support.ts";
import { latestGroups } from "./latest-groups.ts";

const idsOf = (sessions: Parameters<typeof latestGroups>[0]) =>
  latestGroups(sessions, { waitingName: "Needs you", now: 100 }).map(({ name, rows }) => [
    name,
    ...rows.map(({ session }) => session.session),
  ]);

test("what waits, what runs, then the latest: archived ones are left out, and a pin changes nothing", () => {
  const sessions = [
    listedSession("old", { updatedAt: 1, pinned: true }),
    listedSession("new", { updatedAt: 3 }),
    listedSession("gone", { updatedAt: 9, archived: true }),
    listedSession("asks", { status: "waiting", pinned: true }),
    listedSession("works", { status: "running" }),
    listedSession("pinned", { status: "running", pinned: true }),
  ];
  expect(idsOf(sessions)).toEqual([
    ["Needs you", "asks"],
    ["Running", "works", "pinned"],
    ["Latest", "new", "old"],
  ]);
});

test("a fork is not moved below an origin that may not be there, and each group has an end", () => {
  const sessions = Array.from({ length: 9 }, (_, n) =>
    listedSession(`s${n}`, { updatedAt: 10 - n, ...(n > 0 && { forkedFrom: { session: "s0" } }) }),
  );
  const [group, ...others] = latestGroups(sessions, { waitingName: "Needs you", now: 100 });
  expect(group?.rows.map(({ session, depth }) => [session.session, depth])).toEqual(
    [0, 1, 2, 3, 4].map((n) => [`s${n}`, 0]),
  );
  expect(others).toEqual([]);
});

test("without sessions there is nothing", () => {
  expect(idsOf([])).toEqual([]);
});
