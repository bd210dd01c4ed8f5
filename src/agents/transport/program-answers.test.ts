import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, expect, it } from "vitest";
import type { FoundProgram } from "../../core/program.ts";
import { createProcessHost } from "../../process/local-process-host.ts";
import { ProgramAnswers } from "./program-answers.ts";

const directory = mkdtempSync(join(tmpdir(), "interlingua-program-answers-"));
const processHost = createProcessHost({ daemonId: "program-answers-test", environment: process.env });
afterAll(async () => {
  await processHost.close();
  rmSync(directory, { recursive: true, force: true });
});

const file = join(directory, "agent");
const runs = join(directory, "runs");
const program: FoundProgram = { command: file, args: [], from: "path" };

let answers: ProgramAnswers;
beforeEach(() => {
  answers = new ProgramAnswers(processHost);
  writeFileSync(runs, "");
});

/** It notes that it was run. */
function install(version: string, exitCode = 0): void {
  writeFileSync(file, `#!/bin/sh\necho "$1" >> '${runs}'\necho ${version} "$1"\nexit ${exitCode}\n`);
  chmodSync(file, 0o700);
}

const flagsAsked = () => readFileSync(runs, "utf8").split("\n").filter(Boolean);

it("a program is asked each question once", async () => {
  install("1.0.0");
  for (let round = 0; round < 3; round += 1) {
    expect(await answers.ask(program, "--version")).toBe("1.0.0 --version");
    expect(await answers.ask(program, "--help")).toBe("1.0.0 --help");
  }
  expect(flagsAsked()).toEqual(["--version", "--help"]);
});

it("a program that was replaced is asked again", async () => {
  install("1.0.0");
  await answers.ask(program, "--version");
  install("1.10.0");
  expect(await answers.ask(program, "--version")).toBe("1.10.0 --version");
});

it("a script that another program runs is told apart by its own file", async () => {
  install("1.0.0");
  const script: FoundProgram = { command: "/bin/sh", args: [file], from: "config" };
  await answers.ask(script, "--version");
  install("1.10.0");
  expect(await answers.ask(script, "--version")).toBe("1.10.0 --version");
  await answers.ask(script, "--version");
  expect(flagsAsked()).toHaveLength(2);
});

it("what failed or was forgotten is asked for again", async () => {
  install("1.0.0", 1);
  await answers.ask(program, "--version");
  await answers.ask(program, "--version");
  expect(flagsAsked()).toHaveLength(2);
  install("1.10.0");
  await answers.ask(program, "--version");
  answers.forget(program);
  await answers.ask(program, "--version");
  expect(flagsAsked()).toHaveLength(4);
});

it("rejects for a program that is not there", async () => {
  const nowhere: FoundProgram = { command: "/nowhere/agent", args: [], from: "config" };
  await expect(answers.ask(nowhere, "--version")).rejects.toThrow(/nowhere/);
});
