import { expect, test } from "vitest";
import type { SearchResult } from "../api/types.ts";
import { mergeCopies } from "./merge-copies.ts";

const result = (session: string, message: string): SearchResult => ({
  session,
  message,
  agent: "mock",
  cwd: "/",
  role: "user",
  at: 1,
  snippet: [],
});

test("a message that forks share is found once, where it was said, and others with the same id stay", () => {
  const families: Record<string, string> = { fork: "origin", "fork-2": "origin" };
  const results = [
    result("fork", "m1"),
    result("other", "m1"),
    result("origin", "m1"),
    result("fork-2", "m1"),
    result("fork-2", "m2"),
  ];
  const merged = mergeCopies(results, (session) => families[session] ?? session);
  expect(merged.map(({ session, message, copies }) => [session, message, copies])).toEqual([
    ["origin", "m1", 2],
    ["other", "m1", 0],
    ["fork-2", "m2", 0],
  ]);
});
