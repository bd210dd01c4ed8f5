import { setImmediate } from "node:timers/promises";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DamagedDataError } from "./damaged-data.ts";
import { parseLong } from "./parse-long.ts";

test("a text is read as JSON.parse reads it, wherever it is cut", async () => {
  const text = fc.array(
    fc.constantFrom("a", "é", "😀", '"', "\\", "\\\\", "\n", "\u0001", "\ud83d", "\\u0041", "/"),
    { maxLength: 40 },
  );
  const property = fc.asyncProperty(text, fc.integer({ min: 6, max: 12 }), async (parts, length) => {
    const json = JSON.stringify(parts.join(""));
    // Every character as an escape too, as other writers may have it.
    const escaped = `"${parts.join("").replaceAll(/[\s\S]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)}"`;
    expect(await parseLong(json, "it", length)).toBe(parts.join(""));
    expect(await parseLong(escaped, "it", length)).toBe(parts.join(""));
  });
  await fc.assert(property);
});

test("the event loop turns while a text of many megabytes is read", async () => {
  let turns = 0;
  let isRead = false;
  const reading = parseLong(JSON.stringify("x".repeat(8 * 1024 * 1024)), "it").finally(() => {
    isRead = true;
  });
  for (; !isRead; turns += 1) await setImmediate();
  expect(String(await reading)).toHaveLength(8 * 1024 * 1024);
  expect(turns).toBeGreaterThan(5);
});

test("what is no JSON is damaged", async () => {
  for (const json of ['"abc', '"a\\"', `"${"a".repeat(20)}\n${"a".repeat(20)}"`, '"aaaaaaaaaaaaaaaaa"bbbb"'])
    await expect(parseLong(json, "it", 8), json).rejects.toThrow(DamagedDataError);
});
