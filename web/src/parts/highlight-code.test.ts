import fc from "fast-check";
import { expect, test } from "vitest";
import { languageOfPath } from "./code-languages.ts";
import { highlightCode, tokenLines } from "./highlight-code.ts";

test("code is coloured line by line, and is all there", async () => {
  const code = 'const a = "<b>&amp;";\n// it\'s\nreturn a;';
  const lines = await highlightCode(code, "ts");
  expect(lines?.map((line) => line.map(({ text }) => text).join("")).join("\n")).toBe(code);
  expect(lines?.[0]?.[0]).toEqual({ text: "const", className: "hljs-keyword" });
  expect(lines?.[1]?.[0]).toMatchObject({ className: "hljs-comment" });
  expect(await highlightCode("a", "no such language")).toBeUndefined();
});

test("whatever the code is, nothing of it is lost or becomes markup", async () => {
  const piece = fc.constantFrom(
    '<span class="x">',
    "</span>",
    "&lt;",
    "<",
    ">",
    "&",
    "'",
    '"',
    "`",
    "\n",
    "if",
    "/*",
    "*/",
    "${",
    "}",
    "// a",
    "1",
    " ",
  );
  await fc.assert(
    fc.asyncProperty(
      fc.array(piece, { maxLength: 40 }),
      fc.constantFrom("js", "html", "bash", "md"),
      async (pieces, language) => {
        const code = pieces.join("");
        const lines = await highlightCode(code, language);
        expect(lines?.map((line) => line.map(({ text }) => text).join("")).join("\n")).toBe(code);
        for (const { className } of lines!.flat()) expect(className).toMatch(/^(?:hljs-[\w -]+)?$/);
      },
    ),
  );
});

test("nested spans give their inner colour", () => {
  expect(tokenLines('<span class="hljs-string">a<span class="hljs-subst">b</span>c</span>')).toEqual([
    [
      { text: "a", className: "hljs-string" },
      { text: "b", className: "hljs-subst" },
      { text: "c", className: "hljs-string" },
    ],
  ]);
});

test("a file tells its language", () => {
  expect(languageOfPath("src/a.tsx")).toBe("typescript");
  expect(languageOfPath("/x/Dockerfile")).toBe("dockerfile");
  expect(languageOfPath("notes")).toBeUndefined();
  expect(languageOfPath("constructor")).toBeUndefined();
});
