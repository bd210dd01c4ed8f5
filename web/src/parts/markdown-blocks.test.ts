import fc from "fast-check";
import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { Streamdown, type StreamdownProps } from "streamdown";
import { describe, expect, test } from "vitest";
import { hostileMarkdown } from "./hostile-markdown.test-support.ts";
import { markdownBlocks } from "./markdown-blocks.ts";

/** What agents write, each of which may meet any other. */
const PARTS = [
  "Some *words*\nin two lines.",
  "# A heading",
  "Underlined\n===",
  "- one\n- two\n\n- after an empty line",
  "- one\n\n  more of it\n\n  ```js\n  let a;\n\n  let b;\n  ```",
  "1. one\n2. two\n\n   more of two",
  "10) ten",
  "```ts\nconst a = 1;\n\nconst b = 2;\n```",
  "~~~\n```\n\nstill code\n~~~",
  "````\n```\n\nstill code\n````",
  "> said\n> by somebody\n\n> and by another",
  "| a | b |\n| - | - |\n| 1 | 2 |",
  "    code by its indent\n\n    goes on",
  "---",
  "<div>\nHTML\n\nends\n</div>",
  "<!-- a comment\n\nnot *ended* by an empty line -->",
  "<pre>\n\n*as it is*\n</pre>",
  "a [link][1]",
  "[1]: https://example.com",
  "a note[^n]",
  "[^n]: what it says",
  "$$\n\na\n\n$$",
  "`a` ``b`` ```c```",
  "",
];

function html(markdown: string): string {
  const props = { mode: "static", rehypePlugins: [], children: markdown } satisfies StreamdownProps;
  return renderToStaticMarkup(createElement(Streamdown, props))
    .replace(/^<div[^>]*>(.*)<\/div>$/s, "$1")
    .replace(/\n/g, "");
}

describe("blocks of Markdown", () => {
  test("each by itself means what it means in the whole", () => {
    const texts = fc.array(fc.constantFrom(...PARTS), { maxLength: 6 }).map((parts) => parts.join("\n\n"));
    fc.assert(
      fc.property(texts, (text) => {
        expect(markdownBlocks(text).map(html).join("")).toBe(html(text));
      }),
    );
  });

  test("together they are the text", () => {
    fc.assert(
      fc.property(fc.oneof(hostileMarkdown, fc.string()), (text) => {
        const blocks = markdownBlocks(text);
        expect(blocks.join("")).toBe(text);
        expect(blocks).not.toContain("");
      }),
    );
  });

  test("paragraphs are blocks, and what belongs together is one", () => {
    expect(markdownBlocks("one\n\ntwo\n\n- a\n\n- b\n\n```\n\nx\n```\n\nend")).toEqual([
      "one\n\n",
      "two\n\n- a\n\n- b\n\n",
      "```\n\nx\n```\n\n",
      "end",
    ]);
  });
});
