import fc from "fast-check";
import { expect, test } from "vitest";
import { makeSnippet } from "./make-snippet.ts";
import { searchWords } from "./search-words.ts";

function shown(text: string, words: string): string {
  return makeSnippet(text, searchWords(words))
    .map(({ text, match }) => (match ? `[${text}]` : text))
    .join("");
}

test("marks whole words, the last one also as a beginning, whatever their accents and case", () => {
  expect(shown("A Zébra crosses, the zebras cross", "zebra cross")).toBe(
    "A [Zébra] [crosses], the zebras [cross]",
  );
  expect(shown("one\n\n  two\tthree", "two")).toBe("one [two] three");
});

test("shows the place where most of the words stand", () => {
  const text = `alpha ${"x ".repeat(200)} then alpha beta and ${"y ".repeat(200)}`;
  expect(shown(text, "beta alpha")).toMatch(/^…(x )+ ?then \[alpha\] \[beta\] and (y ?)+…$/);
});

test("shows the beginning where no word stands", () => {
  expect(shown("℡ and more", "tel")).toBe("℡ and more");
});

test("is a part of the text, bounded, with nothing but matches marked", () => {
  fc.assert(
    fc.property(
      fc.array(fc.oneof(fc.string({ unit: "binary" }), fc.constantFrom("zebra", "Zebras ", " ", "\n")), {
        maxLength: 80,
      }),
      (pieces) => {
        const text = pieces.join("");
        const snippet = makeSnippet(text, ["zebra"]);
        const whole = snippet.map((piece) => piece.text).join("");
        expect(whole.length).toBeLessThanOrEqual(182);
        const plain = text.toWellFormed().replace(/\s+/g, " ");
        for (const { text: part, match } of snippet) {
          expect(part).not.toBe("");
          if (match) expect(searchWords(part).some((word) => word.startsWith("zebra"))).toBe(true);
          const inner = part.replace(/^…|…$/g, "").replaceAll("\ufffd", "").trim();
          if (inner !== "" && !part.includes("\ufffd")) expect(plain).toContain(inner);
        }
      },
    ),
  );
});
