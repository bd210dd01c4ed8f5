/** What is listed as always allowed. */
import { expect, test } from "vitest";
import type { AlwaysAllowed, SessionDetails } from "../api/types.ts";
import { lastingAnswers } from "./lasting-answers.ts";

function answer(seq: number, change: Partial<AlwaysAllowed>): AlwaysAllowed {
  return { ask: `a${seq}`, seq, title: "Run it", label: "Always allow", by: "ada", at: seq, ...change };
}

function asks(...alwaysAllowed: AlwaysAllowed[]): string[] {
  return lastingAnswers({ alwaysAllowed } as SessionDetails).map(({ ask }) => ask);
}

test("the newest stands first, and what was allowed again once", () => {
  const covers = ["Bash"];
  expect(asks(answer(1, { covers }), answer(2, { covers: ["Write"] }), answer(3, { covers }))).toEqual([
    "a3",
    "a2",
  ]);
  expect(asks(answer(1, { covers }), answer(2, { covers, storedIn: "session" }))).toEqual(["a2", "a1"]);
  // Without a rule only what was asked tells them apart.
  expect(asks(answer(1, { title: "Run ls" }), answer(2, { title: "Run date" }))).toEqual(["a2", "a1"]);
});

test("a permission mode is a setting, and without answers there is nothing", () => {
  expect(asks(answer(1, { covers: ["acceptEdits"] }))).toEqual([]);
  expect(lastingAnswers(undefined)).toEqual([]);
});
