import { expect, test } from "vitest";
import { mentionAt, withMention } from "./mention-at.ts";

test.each([
  ["@", 1, ""],
  ["look at @src/ap", 15, "src/ap"],
  ["look at @src/ap and", 15, "src/ap"],
  ["(@a", 3, "a"],
  ["one\n@two", 8, "two"],
])("%j with the caret at %i names %j", (text, caret, typed) => {
  expect(mentionAt(text, caret)?.typed).toBe(typed);
});

test.each([
  ["me@example.org", 14],
  ["@done now", 9],
  ["nothing", 7],
  ["@a@b", 4],
  ["", 0],
])("%j with the caret at %i names nothing", (text, caret) => {
  expect(mentionAt(text, caret)).toBeUndefined();
});

test("a picked file takes the place of what was typed, and the caret stands behind it", () => {
  const text = "look at @ap and tell";
  expect(withMention(text, mentionAt(text, 11)!, { path: "src/app.ts" })).toEqual({
    text: "look at @src/app.ts and tell",
    caret: 19,
  });
  expect(withMention("@ap", mentionAt("@ap", 3)!, { path: "src/app.ts" })).toEqual({
    text: "@src/app.ts ",
    caret: 12,
  });
});

test("a directory stays open, and a path with blanks is quoted", () => {
  expect(withMention("@s", mentionAt("@s", 2)!, { path: "src", isDirectory: true }).text).toBe("@src/");
  expect(withMention("@s", mentionAt("@s", 2)!, { path: "a b.txt" }).text).toBe('@"a b.txt" ');
});
