import { expect, test } from "vitest";
import { type HistoryMessage, mergeHistory } from "./merge-history.ts";

type Message = HistoryMessage & { text?: string };

function user(id: string): Message {
  return { id, role: "user" };
}

function answer(id: string, replyTo: string, text = ""): Message {
  return { id, role: "assistant", metadata: { replyTo }, text };
}

function ids(messages: readonly Message[]): string[] {
  return messages.map(({ id }) => id);
}

const WHOLE = { hasMore: false, isLive: false };

test("the stored history wins, and what did not change stays the same object", () => {
  const shown = [user("u1"), answer("m1", "u1", "half"), user("never sent")];
  const merged = mergeHistory(shown, [user("u1"), answer("m1", "u1", "whole")], WHOLE);
  expect(merged).toEqual([user("u1"), answer("m1", "u1", "whole")]);
  expect(merged[0]).toBe(shown[0]);
});

test("the message being written stays while its turn runs", () => {
  const shown = [user("u1"), answer("m1", "u1", "half")];
  expect(ids(mergeHistory(shown, [user("u1")], { hasMore: false, isLive: true }))).toEqual(["u1", "m1"]);
  expect(ids(mergeHistory(shown, [user("u1")], WHOLE))).toEqual(["u1"]);
});

test("an answer to something older than the last message is not kept", () => {
  const shown = [user("u1"), answer("gone", "u1")];
  const merged = mergeHistory(shown, [user("u1"), user("u2")], { hasMore: false, isLive: true });
  expect(ids(merged)).toEqual(["u1", "u2"]);
});

test("earlier pages stay before the newest one", () => {
  const shown = [user("u1"), user("u2"), user("u3")];
  const page = [user("u2"), user("u3"), user("u4")];
  expect(ids(mergeHistory(shown, page, { hasMore: true, isLive: false }))).toEqual(["u1", "u2", "u3", "u4"]);
  expect(ids(mergeHistory(shown, page, WHOLE))).toEqual(["u2", "u3", "u4"]);
});

test("a rewind shortens it", () => {
  const shown = [user("u1"), answer("m1", "u1"), user("u2"), answer("m2", "u2")];
  expect(ids(mergeHistory(shown, shown.slice(0, 2), WHOLE))).toEqual(["u1", "m1"]);
});
