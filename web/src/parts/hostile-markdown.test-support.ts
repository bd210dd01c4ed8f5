/** Texts that a parser of Markdown needs much stack or much time for. */
import fc from "fast-check";

const FRAGMENTS = [
  ...["*", "**", "_", "__", "~~", "`", "``", "```", "~~~", "[", "]", "(", ")", "![", "](", "](a)"],
  ...["[a]: b", "[^a]", "[^a]: ", "<", "<a>", "</a>", "<div>", "<!--", "-->", "&", "&amp;", "$"],
  ...["http://a.b", "www.a.b", "a@b.c", "|", "|-|", "- ", "* ", "1. ", "2. ", "+ ", "> ", ">", "# "],
  ...["\n", "\n\n", "\n    ", "\n  ", "\r\n", "\t", " ", "a", "b c", "\\", "===", "---", "- [ ] "],
  ...["\u0301", "\u202e", "\ud83d\udc68\u200d", "\ud800", "\0"],
];

const unit = fc
  .array(fc.constantFrom(...FRAGMENTS), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(""));

/** A few fragments over and over, one after another or mixed. */
export const hostileMarkdown: fc.Arbitrary<string> = fc
  .tuple(unit, unit, fc.integer({ min: 1, max: 2500 }), fc.integer({ min: 1, max: 2500 }), fc.nat({ max: 2 }))
  .map(([first, second, times, more, kind]) => {
    if (kind === 0) return first.repeat(times);
    if (kind === 1) return first.repeat(times) + second.repeat(more);
    return (first + second).repeat(times);
  });

/** Each was seen to overflow the stack, or to take seconds or for ever, as one text of this size. */
export const KNOWN: Readonly<Record<string, string>> = {
  quotes: ">".repeat(2000),
  "spaced quotes": "> ".repeat(50_000),
  "numbers in a line": "1. ".repeat(2000),
  "lists and quotes in a line": "- > ".repeat(5000),
  emphasis: "*a".repeat(50_000),
  "mixed emphasis": "*a_ ".repeat(50_000),
  "nested emphasis": "*".repeat(4000) + "a".repeat(10) + "*".repeat(4000),
  "nested strong": "**a ".repeat(2000) + " a**".repeat(2000),
  "a nested list": Array.from({ length: 1000 }, (_, depth) => `${"  ".repeat(depth)}- a`).join("\n"),
  "nested pictures": `${"![".repeat(2000)}a${"](b)".repeat(2000)}`,
  "nested links": `${"[".repeat(2000)}a${"](b)".repeat(2000)}`,
  "open links": "[a](b ".repeat(20_000),
  "a wide table": `${"|a".repeat(200)}\n${"|-".repeat(200)}\n${"|b\n".repeat(2000)}`,
  "underlined headings": "a\n-\n".repeat(20_000),
  fences: "```\n".repeat(5000),
  footnotes: Array.from({ length: 5000 }, (_, index) => `[^${index}]\n\n[^${index}]: x\n`).join("\n"),
  "inside of HTML": `<div>\n\`\`\`\n${">".repeat(2000)}`,
  "after a fence in a list": `- a\n  \`\`\`\n  x\nb\n  \`\`\`\n${">".repeat(2000)}`,
};
