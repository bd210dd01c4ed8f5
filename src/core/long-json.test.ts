import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsonPieces } from "./long-json.ts";
import { splitText } from "./split-text.ts";

const LONG = 'a "quoted" 😀\n'.repeat(60_000);

describe("the JSON of a value in pieces", () => {
  it("is what JSON.stringify gives, for any value", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        // Beside something long, so that the value is gone through and not written at once.
        const both = { long: LONG, value, list: [LONG, value], gone: undefined, empty: {} };
        expect([...jsonPieces(both)].join("")).toBe(JSON.stringify(both));
        expect([...jsonPieces(value)].join("")).toBe(JSON.stringify(value));
      }),
      { numRuns: 30 },
    );
  });

  it("has no piece that takes long to write, and only one for what is short", () => {
    expect([...jsonPieces({ text: "short", list: [1, 2, 3] })]).toHaveLength(1);
    const longest = Math.max(...[...jsonPieces([{ text: LONG }])].map((piece) => piece.length));
    expect(longest).toBeLessThan(LONG.length);
  });
});

it("splits a text so that no character is cut in two", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 2, max: 5 }), (text, length) => {
      const pieces = [...splitText(text, length)];
      expect(pieces.join("")).toBe(text);
      for (const piece of pieces) {
        expect(piece.length).toBeLessThanOrEqual(length);
        expect(piece.isWellFormed()).toBe(true);
      }
    }),
  );
});
