import { expect, test } from "vitest";
import { familyOf, forkNumbers } from "./fork-numbers.ts";
import { listedSession } from "./listed-session.test-support.ts";

function feedOf(...sessions: ReturnType<typeof listedSession>[]) {
  return new Map(sessions.map((session) => [session.session, session]));
}

const fork = (id: string, origin: string, title: string | undefined, createdAt: number) =>
  listedSession(id, { title, createdAt, forkedFrom: { session: origin } });

test("forks with the title of their origin are numbered in the order they were made, forks of forks with them", () => {
  const sessions = feedOf(
    listedSession("a", { title: "Coast" }),
    fork("later", "a", "Coast", 30),
    fork("named", "a", "Another", 20),
    fork("first", "a", "Coast", 10),
    fork("of-fork", "first", "Coast", 40),
  );
  expect([...forkNumbers(sessions)]).toEqual([
    ["first", 1],
    ["later", 2],
    ["of-fork", 3],
  ]);
});

test("a single one needs no number, and one whose origin is gone keeps its title", () => {
  const sessions = feedOf(listedSession("a"), fork("b", "a", undefined, 2), fork("c", "gone", undefined, 3));
  expect([...forkNumbers(sessions)]).toEqual([["b", 0]]);
});

test("a family is that of the first session, also where somebody sends a circle", () => {
  const sessions = feedOf(listedSession("a"), fork("b", "a", "B", 2), fork("c", "b", "C", 3));
  expect(familyOf("c", sessions)).toBe("a");
  const circle = feedOf(fork("x", "y", "X", 1), fork("y", "x", "Y", 2));
  expect(["x", "y"]).toContain(familyOf("x", circle));
});
