import { expect, it } from "vitest";
import { htmlText } from "./html-text.ts";

const BASE = "https://example.com/docs/page";

it("gives title, words, headings, lists and links", () => {
  const html = `<!DOCTYPE html><html><head><title>A &amp; B</title><style>p{}</style></head><body>
    <h1>Heading</h1><p>Some <b>bold</b>
    words&nbsp;&#8364;&#x41;.</p><ul><li>one<li><a class=x href="../two?a=1&amp;b=2">two</a></ul>
    <script>if (a < b) document.write("<p>code</p>")</script><!-- <p>hidden</p> -->
    <table><tr><td>1</td><td>2</td></tr></table><a href="#top">top</a> <a href="javascript:x()">run</a></body></html>`;
  expect(htmlText(html, BASE)).toBe(
    [
      "# A & B",
      "",
      "# Heading",
      "",
      "Some bold words €A.",
      "",
      "- one",
      "- [two](https://example.com/two?a=1&b=2)",
      "",
      "1 2",
      "",
      "top run",
    ].join("\n"),
  );
});

it.each([
  ["a < b and c > d", "a < b and c > d"],
  ["<p>open", "open"],
  ["<p", ""],
  ["before<!-- never closed", "before"],
  ["before<script>never closed", "before"],
  ["<svg>after", "after"],
  ["İ<b>x</b>", "İx"],
  ["<a href=/x>one <a href=/y>two", "[one ](https://example.com/x)[two](https://example.com/y)"],
  ["&bogus; &amp &#0; &#99999999; &constructor;", "&bogus; &amp \ufffd &#99999999; &constructor;"],
])("%j", (html, text) => {
  expect(htmlText(html, BASE)).toBe(text);
});

it.each([
  "<svg",
  "<svg>",
  "<script",
  "<!--",
  "<a href='",
  "<a href=x>",
  "<title",
  "<",
  "&#",
  "</head",
  "<p>",
  " ",
])("a page of nothing but %j ends", (piece) => {
  expect(htmlText(piece.repeat(200_000), BASE)).toEqual(expect.any(String));
});
