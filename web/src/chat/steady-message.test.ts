import { expect, test } from "vitest";
import { steadyMessage } from "./steady-message.ts";

function message(id: string, ...texts: string[]) {
  return { id, parts: texts.map((text) => ({ type: "text", text })) };
}

const shown = message("m1", "one", "tw");

test("what was shown stays until the replay has caught up", () => {
  for (const less of [message("m1"), message("m1", "one"), message("m1", "one", "t")])
    expect(steadyMessage(shown, less, true)).toBe(shown);
  for (const more of [
    message("m1", "one", "tw"),
    message("m1", "one", "two"),
    message("m1", "one", "tw", ""),
  ])
    expect(steadyMessage(shown, more, true)).toBe(more);
});

test("another message, and the end of the stream, are shown at once", () => {
  const other = message("m2");
  expect(steadyMessage(shown, other, true)).toBe(other);
  expect(steadyMessage(undefined, other, true)).toBe(other);
  const stored = message("m1", "one");
  expect(steadyMessage(shown, stored, false)).toBe(stored);
});
