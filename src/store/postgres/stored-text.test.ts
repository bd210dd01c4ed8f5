import fc from "fast-check";
import { expect, it } from "vitest";
import { decodeText, decodeTexts, encodeText, encodeTexts } from "./stored-text.ts";

it("leaves every text that PostgreSQL can keep as it is", () => {
  for (const text of ["", "äöü €", "👩‍👩‍👧", "\u0001\r\n\u2028", "\\u0000"])
    expect(encodeText(text)).toBe(text);
});

it("gives every other text back, and two of them never become one", () => {
  const text = fc.string({
    unit: fc.oneof(
      fc.constantFrom("\0", "\ud800", "\udc00", "\uf8f0", "0", "f"),
      fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
    ),
  });
  fc.assert(
    fc.property(text, text, (one, other) => {
      const stored = encodeText(one);
      expect(stored).not.toContain("\0");
      expect(stored.isWellFormed()).toBe(true);
      expect(decodeText(stored)).toBe(one);
      expect(encodeText(other) === stored).toBe(other === one);
    }),
  );
});

it("changes the texts of a row and nothing else, and leaves columns of JSON as they are", () => {
  const row = { name: "a\0b", list: '["\uf8f00000"]', count: 1, none: null };
  const encoded = encodeTexts(row, ["list"]);
  expect(encoded).toEqual({ ...row, name: "a\uf8f00000b" });
  expect(decodeTexts(encoded, ["list"])).toEqual(row);
});
