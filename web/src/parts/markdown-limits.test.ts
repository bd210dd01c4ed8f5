import fc from "fast-check";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { hostileMarkdown, KNOWN } from "./hostile-markdown.test-support.ts";
import { Markdown } from "./markdown.tsx";
import { fitsMarkdown, MARKDOWN_LIMITS, scanMarkdown } from "./markdown-limits.ts";
import { cutText } from "./text-pieces.ts";

/** As on the server: there no boundary catches what a component throws. */
function render(text: string, isStreaming = false): string {
  return renderToString(createElement(Markdown, { text, isStreaming }));
}

describe("markdown limits", () => {
  test.each(Object.entries(KNOWN))("text that ended or froze the page is shown: %s", (_, text) => {
    const html = render(text);
    expect(html.length).toBeGreaterThan(100);
    expect(html.length).toBeLessThan(3_000_000);
  });

  test("what passes is rendered without an error, also while it is written", () => {
    fc.assert(
      fc.property(hostileMarkdown, fc.boolean(), (text, isStreaming) => {
        expect(render(text, isStreaming)).not.toBe("");
      }),
      { numRuns: 150 },
    );
  });

  test("every text is decided about, looking at each character at most twice", () => {
    fc.assert(
      fc.property(fc.oneof(hostileMarkdown, fc.string({ unit: "binary", maxLength: 500 })), (text) => {
        const { steps } = scanMarkdown(text);
        expect(steps).toBeLessThanOrEqual(2 * text.length + 2);
      }),
      { numRuns: 2000 },
    );
  });

  test("ordinary answers pass", () => {
    const answer = [
      "# What I found\n\nThe **cache** is `cold` at [start](https://a.b), see _below_:\n",
      "- one\n  - two\n    - three\n      1. four\n",
      "> quoted\n> > twice\n",
      "| file | lines | why |\n|---|---|---|\n| `a.ts` | 12 | **new** |\n".repeat(20),
      "```ts\nconst deep = {\n                                                             a: [[[[[[1]]]]]],\n};\n```\n",
      "<details><summary>more</summary>\n\ntext\n\n</details>\n",
    ].join("\n");
    expect(fitsMarkdown(answer)).toBe(true);
  });

  test("a list of many items with marks in each passes", () => {
    expect(fitsMarkdown("- **name**: `value` [link](a)\n".repeat(200))).toBe(true);
    expect(fitsMarkdown("**a**: `value`\n".repeat(200))).toBe(false);
  });

  test("pieces never exceed what may be rendered at once", () => {
    fc.assert(
      fc.property(hostileMarkdown, (text) => {
        for (const { markdown } of cutText(text).pieces)
          expect(markdown.length).toBeLessThanOrEqual(MARKDOWN_LIMITS.characters);
      }),
    );
  });
});
