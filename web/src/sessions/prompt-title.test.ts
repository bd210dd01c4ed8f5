import fc from "fast-check";
import { expect, test } from "vitest";
import { promptTitle } from "./prompt-title.ts";

test.each([
  ["Fix the login", "Fix the login"],
  ["# Heading one\n\nSome **bold** words", "Heading one"],
  ["Please **rework** the `parser`. Then run the tests.", "Please rework the parser"],
  ["Why does v1.2 fail? It did not before.", "Why does v1.2 fail?"],
  ["Hello,\n\nadd a [link](https://example.com) to the page", "Hello, add a link to the page"],
  [
    "Rework the parser so that it reads every line of the configuration only once and keeps it",
    "Rework the parser so that it reads every line of the…",
  ],
  ["", ""],
])("%j goes by %j", (prompt, title) => {
  expect(promptTitle(prompt)).toBe(title);
});

test("whatever is written, it is one short line", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), (prompt) => {
      const title = promptTitle(prompt);
      expect([...title].length).toBeLessThanOrEqual(60);
      expect(title).not.toMatch(/[\n\r]/);
    }),
  );
});
