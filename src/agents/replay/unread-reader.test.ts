import { expect, test } from "vitest";
import type { RawRecord } from "../../core/raw-record.ts";
import { PROTOCOLS } from "../registry.ts";
import { createUnreadReader } from "./unread-reader.ts";

function said(rawSeq: number, message: object, generation = 1): RawRecord {
  return { rawSeq, generation, at: 0, direction: "in", data: JSON.stringify(message) };
}

test("names the fields of a record that its translator has no use for, and of no other", () => {
  const read = createUnreadReader(PROTOCOLS.get("mock")!);
  expect(read(said(1, { event: "todo", items: [], mood: "fine" }))).toEqual(["todo.mood"]);
  expect(read(said(2, { event: "todo", items: [] }))).toEqual([]);
});

test("a record that nobody understands costs nothing", () => {
  const read = createUnreadReader(PROTOCOLS.get("claude")!);
  expect(read({ ...said(1, {}), data: "}{" })).toEqual([]);
  expect(read(said(2, { type: "result" }, 2))).toBeInstanceOf(Array);
});
