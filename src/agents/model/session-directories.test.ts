import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { SessionDirectories } from "./session-directories.ts";

function temporary(): string {
  const directory = mkdtempSync(join(tmpdir(), "il-session-directories-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function fill(directory: string): void {
  mkdirSync(directory, { recursive: true });
  for (let file = 0; file < 500; file += 1) writeFileSync(join(directory, `${file}`), "");
}

test("requests go on while a directory that an agent has filled is removed", async () => {
  const parent = temporary();
  const directory = await new SessionDirectories().create(parent);
  fill(join(directory.path, "deep/below"));
  let [turns, isRemoved] = [0, false];
  const removing = directory.remove().finally(() => (isRemoved = true));
  for (; !isRemoved; turns += 1) await nextTurn();
  await removing;
  expect(turns).toBeGreaterThan(10);
  expect(readdirSync(parent)).toEqual([]);
});

test("what a killed daemon left is removed once, and what a link leads to stays", async () => {
  const [parent, other] = [temporary(), temporary()];
  fill(join(parent, "session-old"));
  symlinkSync(other, join(parent, "session-old/link"));
  writeFileSync(join(other, "kept"), "");
  const directories = new SessionDirectories();
  const [one, two] = await Promise.all([directories.create(parent), directories.create(parent)]);
  expect(readdirSync(parent).sort()).toEqual(
    [one.path, two.path].map((path) => path.slice(parent.length + 1)).sort(),
  );
  expect(existsSync(join(other, "kept"))).toBe(true);
});
