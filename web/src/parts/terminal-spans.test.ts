import fc from "fast-check";
import { expect, test } from "vitest";
import { terminalSpans } from "./terminal-spans.ts";

const ESC = "\u001b";

test("colours become classes that every theme can show", () => {
  expect(terminalSpans(`plain ${ESC}[31mred${ESC}[0m ${ESC}[1;92mbold green${ESC}[0m`)).toEqual([
    { text: "plain ", className: "" },
    { text: "red", className: "ansi-text-red" },
    { text: " ", className: "" },
    { text: "bold green", className: "ansi-text-green font-semibold" },
  ]);
  expect(terminalSpans(`${ESC}[38;5;196mpalette${ESC}[0m`)[0]?.className).toBe("ansi-text-red");
  expect(terminalSpans(`${ESC}[38;2;20;40;250mtrue${ESC}[0m`)[0]?.className).toBe("ansi-text-blue");
  expect(terminalSpans(`${ESC}[30;42m PASS ${ESC}[0m`)[0]?.className).toBe("ansi-text-black ansi-on-green");
});

test("what would hide, move or link text does not", () => {
  const text = (output: string) =>
    terminalSpans(output)
      .map(({ text }) => text)
      .join("");
  expect(text(`${ESC}[8mhidden${ESC}[0m`)).toBe("hidden");
  expect(terminalSpans(`${ESC}[8mhidden${ESC}[0m`)[0]?.className).toBe("");
  expect(text(`${ESC}]0;a title\u0007after`)).toBe("after");
  expect(text(`${ESC}]8;;https://evil.example\u0007link${ESC}]8;;\u0007`)).toBe("link");
  expect(text(`${ESC}[2J${ESC}[1;1Hclean${ESC}[10A`)).toBe("clean");
  expect(text("10%\r50%\r100%\ndone\r\n")).toBe("100%\ndone\n");
  expect(text(`a\bb\u0000c\u009b31md`)).toBe("abc31md");
});

test("no output leaves an escape or another control character", () => {
  const piece = fc.constantFrom(
    ESC,
    `${ESC}[`,
    `${ESC}]`,
    `${ESC}P`,
    "31",
    ";",
    "m",
    "38;5;",
    "H",
    "\u0007",
    "\\",
    "\r",
    "\n",
    "a",
    "\u009b",
    "?25l",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      const spans = terminalSpans(pieces.join(""));
      for (const { text, className } of spans) {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be there
        expect(text).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
        expect(className).toMatch(/^[a-z -]*$/);
      }
    }),
  );
});

test("a million escapes are bounded", () => {
  expect(terminalSpans(`${ESC}[31ma`.repeat(20_000)).length).toBeLessThanOrEqual(3_000);
});
