/** What a diff still shows of secrets of several lines. */
import { expect, it } from "vitest";
import { DiffMask } from "./mask-diff.ts";

const KEY = "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nab==\n-----END KEY-----\n";
const masked = (...lines: string[]) =>
  new DiffMask([{ value: KEY, placeholder: "[secret KEY]" }]).mask(lines.join("\n")).split("\n");

it("a secret that is added, with a quote before and after it, is masked line by line", () => {
  const added = [
    '+key = "-----BEGIN KEY-----',
    "+MIIEvQIBADANBgkqhkiG",
    "+ab==",
    '+-----END KEY-----"',
    "+x",
  ];
  const hidden = ['+key = "[secret KEY]', "+[secret KEY]", "+[secret KEY]", '+[secret KEY]"', "+x"];
  expect(masked("@@ -0,0 +1,5 @@", ...added)).toEqual(["@@ -0,0 +1,5 @@", ...hidden]);
});

it("a secret of which one line was changed is masked on both sides", () => {
  const given = [" -----BEGIN KEY-----", "-MIIEvQIBADANBgkqhkiG", "+changed", " ab==", " -----END KEY-----"];
  const hidden = [" [secret KEY]", "-[secret KEY]", "+changed", " [secret KEY]", " [secret KEY]"];
  expect(masked(...given)).toEqual(hidden);
});

it("a secret of which a hunk has only the end, or its head a line, is masked", () => {
  const given = ["@@ -9,2 +9,3 @@ MIIEvQIBADANBgkqhkiG", " ab==", " -----END KEY-----\r", "+x"];
  const hidden = ["@@ -9,2 +9,3 @@ [secret KEY]", " [secret KEY]", " [secret KEY]\r", "+x"];
  expect(masked(...given)).toEqual(hidden);
});

it("a short line of a secret stays where no other line of it is beside", () => {
  expect(masked(" x", "+ab==", " y")).toEqual([" x", "+ab==", " y"]);
});

it("the lines of an indented secret are masked, and the indentation stays", () => {
  const given = ["+  -----BEGIN KEY-----", "+  MIIEvQIBADANBgkqhkiG"];
  expect(masked(...given)).toEqual(["+  [secret KEY]", "+  [secret KEY]"]);
});
