/** The pipeline of docs/guides/ci.md, as it stands there, with the mock agent in a checkout. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { COMMAND_LINE, SURROUNDINGS } from "../src/cli/test-support.ts";
import { readDaemonInfo } from "../src/store/sqlite/data-directory-lock.ts";
import { until } from "../src/testkit/until.ts";

const GUIDE = readFileSync(resolve(import.meta.dirname, "../docs/guides/ci.md"), "utf8");
const [, pipeline = ""] = /^## The pipeline\n.*?^```sh\n(.*?)^```$/ms.exec(GUIDE) ?? [];

const directory = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-ci-")));
const programs = join(directory, "bin");

beforeAll(() => {
  mkdirSync(programs);
  const words = COMMAND_LINE.map((word) => `'${word}'`).join(" ");
  writeFileSync(join(programs, "interlingua"), `#!/bin/sh\nexec ${words} "$@"\n`, { mode: 0o755 });
});

afterAll(() => rmSync(directory, { recursive: true, maxRetries: 10 }));

function startJob(name: string, prompt: string, environment: Record<string, string> = {}) {
  const checkout = join(directory, name);
  const artifacts = join(directory, `${name}-artifacts`);
  mkdirSync(checkout);
  writeFileSync(join(checkout, "README.md"), "# A project\n");
  writeFileSync(join(checkout, "prompt.md"), `${prompt}\n`);
  const git = (...args: string[]) => spawnSync("git", args, { cwd: checkout, encoding: "utf8" });
  git("init", "--quiet");
  const job = spawn("bash", ["-e", "-c", pipeline], {
    cwd: checkout,
    // A group of its own, as a runner gives it.
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
    env: {
      ...SURROUNDINGS,
      INTERLINGUA_CHECKPOINTS: "on",
      PATH: [programs, SURROUNDINGS.PATH].join(delimiter),
      TMPDIR: directory,
      AGENT: "mock",
      ARTIFACTS: artifacts,
      ...environment,
    },
  });
  let stderr = "";
  job.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const read = (file: string) => {
    const path = join(artifacts, file);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  const ended = once(job, "exit").then(([code]) => ({ code, stderr }));
  const lastEvent = () => JSON.parse(read("events.jsonl").trim().split("\n").at(-1)!);
  return { job, git, read, ended, lastEvent };
}

test("a job completes without anybody to ask, and leaves the events, the diff and the recording", async () => {
  const { ended, read, lastEvent, git } = startJob("completes", "Please note the plan");
  expect(await ended).toMatchObject({ code: 0 });
  expect(lastEvent()).toMatchObject({ type: "turn.ended", outcome: "completed" });
  expect(read("changes.diff")).toContain("+# Notes of the mock agent");
  expect(read("recording.jsonl")).not.toBe("");
  // The diff is one that git takes.
  expect(git("clean", "--force", "--quiet", "interlingua-demo.md").status).toBe(0);
  writeFileSync(join(directory, "changes.diff"), read("changes.diff"));
  expect(git("apply", join(directory, "changes.diff"))).toMatchObject({ status: 0, stderr: "" });
});

test("a job that takes too long ends with 124, with its turn stopped and its artifacts there", async () => {
  const { ended, read, lastEvent } = startJob("too-long", "scenario:hang", { TIMEOUT: "2s" });
  expect(await ended).toMatchObject({ code: 124 });
  expect(lastEvent()).toMatchObject({ type: "turn.ended", outcome: "interrupted" });
  expect(read("recording.jsonl")).not.toBe("");
});

test("a job whose agent asks a question ends with 3 instead of waiting", async () => {
  expect(await startJob("question", "scenario:question").ended).toMatchObject({ code: 3 });
});

test("a job that names no agent that is there ends with 2 and the reason", async () => {
  const { code, stderr } = await startJob("wrong", "hi", { AGENT: "mokc" }).ended;
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('Did you mean "mock"?') });
});

test.each([
  ["its process group", "group", -1],
  ["its shell alone", "shell", 1],
])("a job that is canceled by a signal to %s left its turn running, or its daemon", async (_, name, sign) => {
  const { job, ended, read, lastEvent } = startJob(`canceled-${name}`, "scenario:hang");
  await until(() => read("events.jsonl").includes("text.delta"), 60_000);
  process.kill(sign * job.pid!, "SIGTERM");
  expect(await ended).toMatchObject({ code: 143 });
  expect(lastEvent()).toMatchObject({ type: "turn.ended", outcome: "interrupted" });
  expect(read("recording.jsonl")).not.toBe("");
  const directories = readdirSync(directory).filter((name) => name.startsWith("tmp."));
  expect(directories.length).toBeGreaterThan(0);
  expect(directories.filter((name) => readDaemonInfo(join(directory, name)))).toEqual([]);
});

test("the guide names every exit code that the reference names", () => {
  const reference = readFileSync(resolve(import.meta.dirname, "../docs/reference/command-line.md"), "utf8");
  const [, section = ""] = /^## `run`\n(.*?)^## /ms.exec(reference) ?? [];
  const codes = [...section.matchAll(/^\| (\d+) \|/gm)].map(([, code]) => code!);
  expect(codes.length).toBeGreaterThan(5);
  const [, table = ""] = /^## Exit codes\n(.*?)^## /ms.exec(GUIDE) ?? [];
  expect(codes.filter((code) => !new RegExp(`^\\| [\\d, ]*\\b${code}\\b`, "m").test(table))).toEqual([]);
});
