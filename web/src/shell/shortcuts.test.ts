import { expect, test } from "vitest";
import { matchesKey, SHORTCUT_GROUPS, SHORTCUT_IDS, SHORTCUTS } from "./shortcuts.ts";

const NONE = { metaKey: false, ctrlKey: false, altKey: false, shiftKey: false };

test("a character counts however it is typed", () => {
  expect(matchesKey("?", { ...NONE, key: "?", shiftKey: true })).toBe(true);
  expect(matchesKey("?", { ...NONE, key: "?" })).toBe(true);
  expect(matchesKey("n", { ...NONE, key: "N", shiftKey: true })).toBe(false);
});

test("a key with another modifier is the browser's", () => {
  expect(matchesKey("n", { ...NONE, key: "n", ctrlKey: true })).toBe(false);
  expect(matchesKey("a", { ...NONE, key: "a", metaKey: true })).toBe(false);
  expect(matchesKey("mod+k", { ...NONE, key: "k" })).toBe(false);
  expect(matchesKey("mod+k", { ...NONE, key: "k", ctrlKey: true, altKey: true })).toBe(false);
});

test("mod is Control as well as Command, with and without the capitals lock", () => {
  expect(matchesKey("mod+k", { ...NONE, key: "k", ctrlKey: true })).toBe(true);
  expect(matchesKey("mod+k", { ...NONE, key: "K", metaKey: true })).toBe(true);
});

test("no letter means two things", () => {
  const letters = SHORTCUT_IDS.flatMap((id) => SHORTCUTS[id].keys ?? []).filter((key) => /^[a-z]$/.test(key));
  expect(letters).toEqual([...new Set(letters)]);
});

test("no key means two things at the same place", () => {
  const bound = SHORTCUT_IDS.filter((id) => !SHORTCUTS[id].isOwn).flatMap((id) => SHORTCUTS[id].keys ?? []);
  expect(bound).toEqual([...new Set(bound)]);
  for (const group of SHORTCUT_GROUPS) {
    const keys = SHORTCUT_IDS.filter((id) => SHORTCUTS[id].group === group).flatMap(
      (id) => SHORTCUTS[id].keys ?? [],
    );
    expect(keys, group).toEqual([...new Set(keys)]);
  }
});
