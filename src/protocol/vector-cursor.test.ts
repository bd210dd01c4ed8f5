import { expect, test } from "vitest";
import { formatVectorCursor, MAX_VECTOR_SESSIONS, parseVectorCursor } from "./vector-cursor.ts";

test("what is written is read back, in the same order", () => {
  for (const text of ["a:0", "b:40,a:12", "x.y_z-1:999999999"])
    expect(formatVectorCursor(parseVectorCursor(text))).toBe(text);
});

test("blanks around the commas do no harm", () => {
  expect([...parseVectorCursor("a:1, b:2")]).toEqual([
    ["a", 1],
    ["b", 2],
  ]);
});

test.each([
  "",
  "a",
  "a:",
  ":1",
  "a:-1",
  "a:1.5",
  "a:1:2",
  "a b:1",
  "a:1,",
  "a:1,a:2",
  "..:1",
  "a:9999999999999999",
])("%j is refused with a reason", (text) => {
  expect(() => parseVectorCursor(text)).toThrow(/./);
});

test("there is a most", () => {
  const names = Array.from({ length: MAX_VECTOR_SESSIONS + 1 }, (_, n) => `s${n}:0`);
  expect(parseVectorCursor(names.slice(1).join()).size).toBe(MAX_VECTOR_SESSIONS);
  expect(() => parseVectorCursor(names.join())).toThrow("at most 50");
});
