import { expect, test } from "vitest";
import { ACCOUNT_BEGINNING } from "./conversation-account.ts";
import { partsWithoutPreface, withoutPreface } from "./prompt-preface.ts";
import { restoredFilesNote } from "./restored-files.ts";

const account = `${ACCOUNT_BEGINNING}]\n\nUser: scenario:approve-two\n\n[End of the account. What follows is said now.]`;
const note = restoredFilesNote({ paths: ["scenario:crash"], more: 0 });

test.each([
  ["Go on", "Go on"],
  [`${note}\nGo on`, "Go on"],
  [`${account}\n\nGo on`, "Go on"],
  [`${account}\n${note}\nGo on`, "Go on"],
])("the user's words are what the daemon did not say: case %#", (text, words) => {
  expect(withoutPreface(text)).toBe(words);
});

test("parts keep all that the user gave, also where it is empty", () => {
  const file = { type: "file" as const, url: "data:,", mediaType: "text/plain" };
  const text = (words: string) => ({ type: "text" as const, text: words });
  expect(partsWithoutPreface([text(account), text(note), text("Go on"), file])).toEqual([
    text("Go on"),
    file,
  ]);
  expect(partsWithoutPreface([text(`${note}\nGo on`), text("")])).toEqual([text("Go on"), text("")]);
});
