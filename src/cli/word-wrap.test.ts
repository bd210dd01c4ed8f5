import { expect, test } from "vitest";
import { unbroken, WordWrap, wrapText } from "./word-wrap.ts";

test.each([
  ["no word is broken", "one two three four", 9, "one two\nthree\nfour"],
  ["a line that just fits stays", "one two", 7, "one two"],
  [
    "a word longer than the line stays whole",
    "see https://example.org/a/long/path now",
    12,
    "see\nhttps://example.org/a/long/path\nnow",
  ],
  ["line breaks stay", "a\n\nb c\n", 20, "a\n\nb c\n"],
  [
    "an item of a list continues below its text",
    "- one two three\n2. four five",
    9,
    "- one two\n  three\n2. four\n   five",
  ],
  [
    "a row of two columns continues in the second",
    "  /a B  one two three four",
    20,
    "  /a B  one two\n        three four",
  ],
  [
    "a code block is left alone",
    "a b c d\n```sh\nnpm run the tests\n```\na b c d",
    5,
    "a b c\nd\n```sh\nnpm run the tests\n```\na b c\nd",
  ],
  ["indented code is left alone", "    npm run the tests", 8, "    npm run the tests"],
  ["a table is left alone", "| one | two | three |", 8, "| one | two | three |"],
  ["wide characters take two columns and may be parted", "日本語のテキスト", 8, "日本語の\nテキスト"],
  [
    "a command between backticks stays whole, so that it can be copied",
    "Run `/a/long/claude auth login` or wait",
    12,
    "Run\n`/a/long/claude auth login`\nor wait",
  ],
  ["colours take no room", "\u001b[31mone\u001b[39m two", 7, "\u001b[31mone\u001b[39m two"],
])("%s", (_, text, columns, wrapped) => {
  expect(wrapText(text, columns)).toBe(wrapped);
});

test("text that arrives in pieces is broken in the same places", () => {
  const text =
    "Some *words* of an answer.\n\n- an item that is long\n```\nx = 1;  y = 2; z = 3\n```\nThe end 終わりです.\n";
  const whole = wrapText(text, 14);
  for (const size of [1, 2, 3, 5, 8]) {
    const wrap = new WordWrap();
    let written = "";
    for (let at = 0; at < text.length; at += size) written += wrap.push(text.slice(at, at + size), 14);
    expect(written + wrap.flush(14)).toBe(whole);
  }
});

test("a word without end is written as soon as it does not fit", () => {
  const wrap = new WordWrap();
  expect(wrap.push("one twothree", 8)).toBe("one\ntwothree");
  expect(wrap.push("four", 8)).toBe("four");
  expect(wrap.push(" five", 8) + wrap.flush(8)).toBe("\nfive");
});

test("a command that is marked stays whole, and is as it was", () => {
  const command = unbroken("interlingua stop --data /a");
  expect(wrapText(`Stop it with: ${command}`, 20)).toBe("Stop it with:\ninterlingua stop --data /a");
  expect(wrapText(command, undefined)).toBe("interlingua stop --data /a");
});

test("where nobody looks nothing is broken", () => {
  const text = "word ".repeat(100);
  expect(wrapText(text, undefined)).toBe(text);
});

test("what follows a line that somebody else ended begins at its first column", () => {
  const wrap = new WordWrap();
  wrap.push("one two ", 12);
  wrap.lineEnded();
  expect(wrap.push("three four ", 12)).toBe("three four");
  expect(wrap.push("\n  five", 12) + wrap.flush(12)).toBe("\n  five");
});

test("a space that comes after a line was ended in the middle does not begin the next one", () => {
  const wrap = new WordWrap();
  expect(wrap.push("one", 12) + wrap.flush(12)).toBe("one");
  wrap.lineEnded();
  expect(wrap.push(" two", 12) + wrap.push("  three", 12) + wrap.flush(12)).toBe("two  three");
});
