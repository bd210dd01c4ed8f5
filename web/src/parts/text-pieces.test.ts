import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { hostileMarkdown } from "./hostile-markdown.test-support.ts";
import { cutText, NO_PIECES } from "./text-pieces.ts";

const PARAGRAPHS = "A paragraph of some words.\n\n".repeat(2000);

describe("text pieces", () => {
  test("together they are the text", () => {
    fc.assert(
      fc.property(fc.oneof(hostileMarkdown, fc.string({ maxLength: 60_000 })), (text) => {
        const { pieces } = cutText(text);
        expect(pieces.map((piece) => piece.text).join("")).toBe(text);
        let start = 0;
        for (const piece of pieces) {
          expect(piece.start).toBe(start);
          start += piece.text.length;
        }
      }),
    );
  });

  test("while a text grows only its last piece changes, and it ends as if it had come at once", () => {
    fc.assert(
      fc.property(hostileMarkdown, fc.array(fc.nat({ max: 9000 }), { maxLength: 20 }), (text, steps) => {
        let cut = NO_PIECES;
        let length = 0;
        for (const step of steps) {
          length += step;
          const next = cutText(text.slice(0, length), cut);
          const kept = cut.pieces.slice(0, -1);
          expect(next.pieces.slice(0, kept.length)).toEqual(kept);
          cut = next;
        }
        expect(cutText(text, cut).pieces).toEqual(cutText(text).pieces);
      }),
    );
  });

  test("pieces that are final stay the same objects", () => {
    const before = cutText(PARAGRAPHS);
    const after = cutText(`${PARAGRAPHS}more`, before);
    expect(before.pieces.length).toBeGreaterThan(3);
    for (const [index, piece] of before.pieces.slice(0, -1).entries())
      expect(after.pieces[index]).toBe(piece);
  });

  test("they are cut between paragraphs", () => {
    for (const { text } of cutText(PARAGRAPHS).pieces) expect(text.startsWith("A paragraph")).toBe(true);
  });

  test("code that is too long for one piece is code in each", () => {
    const code = `before\n\n\`\`\`ts\n${"const a = 1;\n".repeat(5000)}\`\`\`\n\nafter`;
    const { pieces } = cutText(code);
    expect(pieces.length).toBeGreaterThan(3);
    for (const { markdown } of pieces.slice(1)) expect(markdown.startsWith("```ts\n")).toBe(true);
    for (const { markdown } of pieces.slice(0, -1)) expect(markdown.endsWith("\n```")).toBe(true);
  });

  test("no character is cut in two", () => {
    for (const { text } of cutText("\ud83d\ude00".repeat(30_000)).pieces)
      expect(text).toBe(text.toWellFormed());
  });
});
