import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { eventually } from "../testkit/eventually.ts";
import { processTable } from "./process-table.ts";
import { isAlive } from "./test-support.ts";

const MODULE = new URL("./exit-deadline.ts", import.meta.url).href;

let directory: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "interlingua-deadline-"));
});

afterEach(() => rmSync(directory, { recursive: true }));

/** A process that runs this script, and how it ends. */
function run(script: string, env = process.env) {
  const source = `import { killSelfAfter, exitWithDeadline } from ${JSON.stringify(MODULE)}; ${script}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source], {
    stdio: "inherit",
    cwd: directory,
    env,
  });
  return { child, ended: once(child, "exit").then(([code, signal]) => ({ code, signal })) };
}

/** Opening a pipe that nobody writes to takes a thread each. */
const FILL_THREAD_POOL = `
  import { execFileSync } from "node:child_process";
  import { open } from "node:fs";
  execFileSync("mkfifo", ["pipe"]);
  for (let count = 0; count < 8; count += 1) open("pipe", "r", () => {});
`;

it("a process whose event loop stands still is killed", async () => {
  expect(await run("killSelfAfter(300); for (;;);").ended).toEqual({ code: null, signal: "SIGKILL" });
});

it("a process whose threads all hang in the kernel ends although `process.exit` waits for them", async () => {
  const { ended } = run(`${FILL_THREAD_POOL} setTimeout(() => exitWithDeadline(1), 100);`);
  expect(await ended).toEqual({ code: null, signal: "SIGKILL" });
});

it("a process that ends in time keeps its exit code, and nothing waits for it any longer", async () => {
  const { child, ended } = run("killSelfAfter(600_000); setTimeout(() => exitWithDeadline(7), 300);");
  let shells: number[] = [];
  await eventually("the shell waits", async () => {
    shells = (await processTable.list()).filter(({ parent }) => parent === child.pid).map(({ pid }) => pid);
    return shells.length > 0;
  });
  expect(await ended).toEqual({ code: 7, signal: null });
  await eventually("the shell and its timer are gone", async () => {
    const left = (await processTable.list()).filter(({ group, zombie }) => shells.includes(group) && !zombie);
    return left.length === 0 && !shells.some(isAlive);
  });
});

it("a process whose PATH has no `sleep` does not kill itself at once, and does so in the end", async () => {
  const env = { ...process.env, PATH: directory };
  const ending = run("killSelfAfter(600_000); setTimeout(() => process.exit(7), 500);", env);
  expect(await ending.ended).toEqual({ code: 7, signal: null });
  const hanging = run("killSelfAfter(300); for (;;);", env);
  expect(await hanging.ended).toEqual({ code: null, signal: "SIGKILL" });
});
