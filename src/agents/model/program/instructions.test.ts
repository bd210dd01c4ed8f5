import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { instructionsFor } from "./instructions.ts";

function temporary(): string {
  const directory = mkdtempSync(join(realpathSync(tmpdir()), "il-instructions-"));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

function instructionsIn(cwd: string): string {
  return instructionsFor({
    cwd,
    configuration: { permissions: "default" },
    today: "2026-11-18",
    ownTools: [],
  });
}

test("AGENTS.md of the project is part of the instructions, also through a link inside the project", () => {
  const directory = temporary();
  mkdirSync(join(directory, "docs"));
  writeFileSync(join(directory, "docs/rules.md"), "Mind the kestrel.");
  symlinkSync("docs/rules.md", join(directory, "AGENTS.md"));
  expect(instructionsIn(directory)).toContain("The project says in AGENTS.md:\nMind the kestrel.");
});

test("of a long AGENTS.md the beginning is used, without half a character at its end", () => {
  const directory = temporary();
  writeFileSync(join(directory, "AGENTS.md"), `a${"ä".repeat(40_000)}`);
  const [, project = ""] = instructionsIn(directory).split("AGENTS.md:\n");
  expect(project).toBe(`a${"ä".repeat(15_999)}`);
});

test.each([
  ["a pipe", (path: string) => execFileSync("mkfifo", [path])],
  ["a link to a device", (path: string) => symlinkSync("/dev/zero", path)],
  ["a directory", (path: string) => mkdirSync(path)],
  [
    "a sparse file",
    (path: string) => {
      writeFileSync(path, "");
      truncateSync(path, 2 ** 31);
    },
  ],
  [
    "a link to a file outside the project",
    (path: string) => {
      const secret = join(temporary(), "secret");
      writeFileSync(secret, "kestrel");
      symlinkSync(secret, path);
    },
  ],
])("%s that a repository calls AGENTS.md does not hang the agent or reach its model", (_, make) => {
  const directory = temporary();
  make(join(directory, "AGENTS.md"));
  expect(instructionsIn(directory)).not.toContain("AGENTS.md");
});
