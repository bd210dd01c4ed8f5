import { expect, test } from "vitest";
import { hasHidden, hasHiddenInside, visiblePieces } from "./hidden-characters.ts";

const shown = (text: string) =>
  visiblePieces(text)
    .map((piece) => (piece.isHidden ? `[${piece.text}]` : piece.text))
    .join("");

test.each([
  ["rm \u202egpj.exe\u202c now", "rm [U+202E]gpj.exe[U+202C] now"],
  ["a\u2066b\u2069", "a[U+2066]b[U+2069]"],
  ["a\u200b\u200b\u200bb\ufeff", "a[U+200B ×3]b[U+FEFF]"],
  ["curl\u200d evil", "curl[U+200D] evil"],
  ["x\u{e0041}\u{e0042}", "x[U+E0041][U+E0042]"],
  // Behind a flag, more letters than tell any apart.
  [`🏴${"\u{e0061}".repeat(9)}`, `🏴${"\u{e0061}".repeat(7)}[U+E0061 ×2]`],
  ["x\u{e0100}", "x[U+E0100]"],
  ["bell\u0007 escape\u001b[0m", "bell[U+0007] escape[U+001B][0m"],
  ["soft\u00adhyphen", "soft[U+00AD]hyphen"],
])("%j is shown as %s", (text, expected) => {
  expect(hasHidden(text)).toBe(true);
  expect(shown(text)).toBe(expected);
});

test.each([
  "plain text\twith\r\nlines",
  "שלום עולם 123 (abc) \u200f",
  "می\u200cخواهم",
  "family 👨\u200d👩\u200d👧 heart ❤\ufe0f",
  "England 🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}",
  "葛\u{e0100}",
  "",
])("%j stays as it is", (text) => {
  expect(hasHidden(text)).toBe(false);
  expect(shown(text)).toBe(text);
});

test("it is found in any text of a value", () => {
  expect(hasHiddenInside({ a: [1, null, { b: "x\u200by" }] })).toBe(true);
  expect(hasHiddenInside({ "a\u202e": 1 })).toBe(true);
  expect(hasHiddenInside({ a: ["b", true, undefined] })).toBe(false);
});
