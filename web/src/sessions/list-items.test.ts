import { expect, test } from "vitest";
import type { SessionGroup } from "./group-sessions.ts";
import { foundItems, listDifferences, listItems } from "./list-items.ts";
import { listedSession } from "./listed-session.test-support.ts";
import type { FoundMessage } from "./merge-copies.ts";

function group(key: string, ...ids: string[]): SessionGroup {
  return { key, name: key, rows: ids.map((id) => ({ session: listedSession(id), depth: 0 })) };
}

function message(id: string): FoundMessage {
  return { session: "s", agent: "mock", cwd: "/", message: id, role: "user", at: 1, snippet: [], copies: 0 };
}

const keys = (items: readonly { key: string }[]) => items.map(({ key }) => key);

test("a folded group is its heading alone", () => {
  const items = listItems([group("today", "a", "b"), group("older", "c")], new Set(["today"]));
  expect(keys(items)).toEqual(["group today", "group older", "c"]);
});

test("of many sessions that were found some are shown, so that messages are in sight", () => {
  const sessions = group("found", "a", "b", "c");
  const found = { sessions, messages: [message("m")], onAllSessions: () => {}, onMoreMessages: () => {} };
  expect(keys(foundItems({ ...found, most: 2 }))).toEqual([
    "title sessions",
    "a",
    "b",
    "more sessions",
    "title messages",
    "result s m",
    "more messages",
  ]);
  expect(keys(foundItems({ ...found, most: 3 }))).not.toContain("more sessions");
});

test("nothing is headed that is not there", () => {
  const nothing = { sessions: group("found"), messages: [], onAllSessions: () => {}, most: 2 };
  expect(foundItems(nothing)).toEqual([]);
  expect(keys(foundItems({ ...nothing, note: "Searching…" }))).toEqual(["title messages", "note"]);
});

test("what all sessions of a list have in common, and what their heading says, is not said in each row", () => {
  const same = group("today", "a", "b");
  expect(listDifferences([same])).toEqual({ agent: false, directory: false });
  const others = {
    ...group("older", "c"),
    rows: [{ session: listedSession("c", { agent: "codex", cwd: "/x" }), depth: 0 }],
  };
  expect(listDifferences([same, others])).toEqual({ agent: true, directory: true });
  const byDirectory = [
    { ...same, directory: "/home/me/shop" },
    { ...others, directory: "/x" },
  ];
  expect(listDifferences(byDirectory)).toEqual({ agent: true, directory: false });
  // Pinned ones stand together, wherever they are.
  expect(listDifferences([...byDirectory, { ...others, key: "pinned" }]).directory).toBe(true);
});
