import { expect, test } from "vitest";
import type { SessionEvent } from "../api/types.ts";
import { entryDetail, matchesEntry } from "./log-entry.ts";

const event = (fields: object) => ({ session: "s", seq: 27, at: 1, ...fields }) as SessionEvent;

test("a line has what tells the entry from others of its type, in one line", () => {
  expect(entryDetail(event({ type: "text.delta", part: "p1", delta: "Hello\nthere" }))).toBe("Hello there");
  expect(entryDetail(event({ type: "tool.start", call: "c1", name: "Bash", title: "List files" }))).toBe(
    "List files",
  );
  expect(entryDetail(event({ type: "tool.output", call: "c1", output: { name: "x" } }))).toBe("c1");
  expect(entryDetail(event({ type: "turn.started" }))).toBe("");
});

test("an entry is found by its type, its number and what its line says", () => {
  const started = event({ type: "tool.start", call: "c1", name: "Bash" });
  expect(matchesEntry(started, "TOOL bash")).toBe(true);
  expect(matchesEntry(started, "27")).toBe(true);
  expect(matchesEntry(started, "tool edit")).toBe(false);
});
