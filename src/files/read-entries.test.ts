import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readEntries } from "./read-entries.ts";

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "il-entries-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function fill(directory: string, count: number): void {
  const long = "x".repeat(200);
  for (let file = 0; file < count; file += 1) writeFileSync(join(directory, `${long}${file}`), "");
}

test.each([10, 2000])(
  "a directory of %i names that an agent filled is not read beyond a number",
  async (count) => {
    const directory = temporary();
    fill(directory, count);
    expect((await readEntries(directory, 7)).entries).toHaveLength(7);
    expect(await readEntries(directory, count - 1)).toMatchObject({ isCut: true });
    const { entries, isCut } = await readEntries(directory, count);
    expect(isCut).toBe(false);
    expect(new Set(entries.map(({ name }) => name)).size).toBe(count);
  },
);

test("names come with their kind, as the bytes that they are", async () => {
  const directory = temporary();
  mkdirSync(join(directory, "ä"));
  const { entries } = await readEntries(Buffer.from(directory), 7, "latin1");
  expect(entries.map((entry) => [entry.name, entry.isDirectory()])).toEqual([["Ã¤", true]]);
});

test("a directory that is not there is an error", async () => {
  await expect(readEntries(join(temporary(), "none"), 7)).rejects.toThrow("ENOENT");
});
