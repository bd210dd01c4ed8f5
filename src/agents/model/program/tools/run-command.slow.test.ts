import { mkdirSync, readFileSync, readlinkSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { processTable } from "../../../../process/process-table.ts";
import { isAlive } from "../../../../process/test-support.ts";
import { until } from "../../../../testkit/until.ts";
import { COMMAND_VARIABLE } from "./command/command-processes.ts";
import { runCommand } from "./run-command.ts";
import { call, type ToolBench, toolBench } from "./tool-test-support.ts";

/** The pids that a command wrote into this file, a line each. */
function pids(bench: ToolBench, file = "pids"): number[] {
  try {
    return readFileSync(join(bench.cwd, file), "utf8").trim().split("\n").map(Number);
  } catch {
    return [];
  }
}

/** By other means than the code under test. */
async function runningIn(directory: string): Promise<number[]> {
  const entries = await processTable.list();
  const directoryOf = (pid: number) => {
    try {
      return readlinkSync(`/proc/${pid}/cwd`);
    } catch {
      return undefined;
    }
  };
  return entries.map(({ pid }) => pid).filter((pid) => directoryOf(pid) === directory && isAlive(pid));
}

it("runs a command and tells all about it", async () => {
  const bench = toolBench();
  const command = "echo out; echo err >&2; exit 3";
  expect(await call(runCommand, { command }, bench)).toEqual({
    type: "run_command_result",
    command,
    cwd: bench.cwd,
    exit_code: 3,
    stdout: "out\n",
    stderr: "err\n",
    stdout_truncated: false,
    stderr_truncated: false,
    stdout_truncated_bytes: 0,
    stderr_truncated_bytes: 0,
    timed_out: false,
    duration_ms: expect.any(Number),
    os: process.platform,
  });
  expect(bench.output()).toContain("out\n");
  expect(bench.output()).toContain("err\n");
});

it("gives the command its directory, its variables and no input", async () => {
  const bench = toolBench({ environment: { PATH: process.env.PATH!, KEPT: "kept", CHANGED: "old" } });
  mkdirSync(join(bench.cwd, "sub"));
  const input = { command: 'pwd; echo "$KEPT $CHANGED $HOME"; cat', cwd: "sub", env: { CHANGED: "new" } };
  expect(await call(runCommand, input, bench)).toMatchObject({
    exit_code: 0,
    stdout: `${join(bench.cwd, "sub")}\nkept new \n`,
  });
  expect(runCommand.title(input)).toBe(`CHANGED="new" ${input.command} (in "sub")`);
});

it.each([
  ["a directory outside", { cwd: ".." }, "outside_directory"],
  ["a link to outside", { cwd: "out" }, "outside_directory"],
  ["a file as directory", { cwd: "file" }, "not_a_directory"],
  ["no directory", { cwd: "missing" }, "not_found"],
  ["an unknown encoding", { encoding: "klingon" }, "invalid_argument"],
  ["a reserved variable", { env: { INTERLINGUA_OWNER: "x" } }, "invalid_argument"],
  ["no name for a variable", { env: { "A=B": "x" } }, "invalid_argument"],
  ["NUL in a variable", { env: { A: "\0" } }, "invalid_argument"],
  ["NUL in the command", { command: "touch ran; \0" }, "invalid_argument"],
  ["a command that is too long", { command: `touch ran; : ${"x".repeat(3_000_000)}` }, "exception"],
])("%s: nothing is run", async (_name, input, code) => {
  const bench = toolBench();
  symlinkSync("..", join(bench.cwd, "out"));
  writeFileSync(join(bench.cwd, "file"), "");
  expect(await call(runCommand, { command: "touch ran", ...input }, bench)).toMatchObject({
    type: "run_command_error",
    name: "run_command",
    code,
  });
  expect(() => readFileSync(join(bench.cwd, "ran"))).toThrow("ENOENT");
});

it("tells the signal that ended a command", async () => {
  expect(await call(runCommand, { command: "kill -9 $$" }, toolBench())).toMatchObject({ exit_code: -9 });
});

it("decodes output, also where a character comes in two pieces", async () => {
  const bench = toolBench();
  const command = "printf '\\303'; sleep 0.1; printf '\\274'";
  expect(await call(runCommand, { command }, bench)).toMatchObject({ stdout: "\u00fc" });
  expect(bench.output()).toBe("\u00fc");
  const latin = { command: "printf '\\374'", encoding: "latin1" };
  expect(await call(runCommand, latin, bench)).toMatchObject({ stdout: "\u00fc" });
});

it("of 100 MB of output the beginning and the end are kept", async () => {
  const bench = toolBench();
  const command = "echo first; head -c 104857600 /dev/zero | tr '\\0' x; echo last";
  const result = await call(runCommand, { command, max_output_bytes: 1000 }, bench);
  expect(result).toMatchObject({
    exit_code: 0,
    stdout_truncated: true,
    stdout_truncated_bytes: 104857600 + 11 - 1000,
  });
  expect(result.stdout).toMatch(/^first\nx{494}\n\[… \d+ bytes left out …\]\nx{495}last\n$/);
  expect(bench.output()).toMatch(/^first\nx{994}\n\[… more is printed …\]\n$/);
});

describe("a command that is stopped ends with all it started", () => {
  const cases: Record<string, string> = {
    "a loop": "echo $$ >> pids; while :; do :; done",
    "deaf to SIGTERM": "trap '' TERM; echo $$ >> pids; while :; do sleep 0.1; done",
    "children in the background": "sleep 1000 & echo $! >> pids; sleep 1000 & echo $! >> pids; wait",
    "a child in a session of its own": "setsid sh -c 'echo $$ >> pids; sleep 1000' & sleep 1000",
    "a child without our marks": "env -i setsid sh -c 'echo $$ >> pids; exec sleep 1000' & sleep 1000",
    "a daemon": "(setsid sh -c 'echo $$ >> pids; exec sleep 1000' &) ; sleep 1000",
    "a daemon that is deaf":
      "(setsid sh -c \"trap '' TERM; echo \\$\\$ >> pids; while :; do sleep 0.1; done\" &); sleep 1000",
    "a daemon without its pipe":
      "(setsid sh -c 'echo $$ >> pids; exec sleep 1000' >/dev/null 2>&1 &); sleep 1000",
    "a shell that is gone":
      "setsid sh -c 'echo $$ >> pids; while :; do echo x; sleep 0.05; done' & exec sleep 1000",
    "hundreds of children": "for i in $(seq 300); do sleep 1000 & echo $! >> pids; done; wait",
    // One at a time, each for a moment. It ends with its directory, should the test fail.
    "a process that becomes another all the time":
      "echo 'echo $$ >> pids; [ -e chain ] && sh chain &' > chain; sh chain; sleep 1000",
    "printing without end": "echo $$ >> pids; yes",
  };
  it.each(Object.entries(cases))("%s", async (_name, command) => {
    const controller = new AbortController();
    const bench = toolBench({ signal: controller.signal });
    const running = call(runCommand, { command, max_output_bytes: 2000 }, bench);
    await until(() => (pids(bench)[0] ?? 0) > 0);
    controller.abort();
    expect(await running).toMatchObject({ type: "run_command_error", code: "aborted", command });
    expect(pids(bench).filter(isAlive)).toEqual([]);
    expect(await runningIn(bench.cwd)).toEqual([]);
  });
});

it.each(["while :; do :; done", "yes", "setsid sleep 1000 & sleep 1000"])(
  "%s: a command that runs for ever is ended when its time is over",
  async (command) => {
    const bench = toolBench();
    const result = await call(runCommand, { command, timeout: 1, max_output_bytes: 2000 }, bench);
    expect(result).toMatchObject({
      type: "run_command_timeout",
      code: "timeout",
      error: expect.stringContaining("did not end within 1 s"),
      command,
      timed_out: true,
    });
    expect(await runningIn(bench.cwd)).toEqual([]);
  },
);

it("a command is ended when the turn is stopped", async () => {
  const controller = new AbortController();
  const bench = toolBench({ signal: controller.signal });
  const running = call(runCommand, { command: "echo begun; echo $$ > pids; sleep 1000" }, bench);
  await until(() => pids(bench).length === 1 && pids(bench)[0]! > 0);
  controller.abort();
  expect(await running).toMatchObject({ type: "run_command_error", code: "aborted", stdout: "begun\n" });
  expect(pids(bench).filter(isAlive)).toEqual([]);
  expect(await call(runCommand, { command: "touch ran" }, bench)).toMatchObject({ code: "aborted" });
  expect(() => readFileSync(join(bench.cwd, "ran"))).toThrow("ENOENT");
});

it("a command does not go on when nobody takes its output", async () => {
  const bench = toolBench({
    onOutput() {
      throw new Error("gone");
    },
  });
  const command = "echo $$ > pids; echo x; sleep 1000";
  expect(await call(runCommand, { command }, bench)).toMatchObject({ code: "exception" });
  expect(pids(bench).filter(isAlive)).toEqual([]);
});

it("a child left in the background neither holds the result nor stays", async () => {
  const bench = toolBench();
  const command = "sleep 1000 & echo $! > pids; echo done";
  expect(await call(runCommand, { command }, bench)).toMatchObject({ exit_code: 0, stdout: "done\n" });
  expect(pids(bench).filter(isAlive)).toEqual([]);
});

it("a daemon that holds the pipe does not hold the result, and stays until the agent ends", async () => {
  const bench = toolBench();
  const command =
    "setsid sh -c 'echo $$ > pids; exec sleep 1000' & while [ ! -s pids ]; do :; done; echo done";
  expect(await call(runCommand, { command }, bench)).toMatchObject({ exit_code: 0, stdout: "done\n" });
  const [pid] = pids(bench);
  expect(isAlive(pid!)).toBe(true);
  process.kill(pid!, "SIGKILL");
});

it("ends the processes of its own command only", async () => {
  const bench = toolBench();
  const other = call(
    runCommand,
    {
      command:
        "(setsid sh -c 'echo $$ > other; exec sleep 1000' >/dev/null 2>&1 &); while [ ! -e stop ]; do sleep 0.05; done",
    },
    bench,
  );
  await until(() => (pids(bench, "other")[0] ?? 0) > 0);
  const ended = await call(runCommand, { command: "echo $$ > pids; sleep 1000", timeout: 0.2 }, bench);
  expect(ended.type).toBe("run_command_timeout");
  const [pid] = pids(bench, "other");
  expect(isAlive(pid!)).toBe(true);
  writeFileSync(join(bench.cwd, "stop"), "");
  expect(await other).toMatchObject({ exit_code: 0 });
  process.kill(pid!, "SIGKILL");
});

it("marks a command for itself and leaves the mark of the agent", async () => {
  const bench = toolBench({ environment: { PATH: process.env.PATH!, INTERLINGUA_OWNER: "d/s@1.2#3" } });
  const { stdout } = await call(
    runCommand,
    { command: `echo "$INTERLINGUA_OWNER $${COMMAND_VARIABLE}"` },
    bench,
  );
  expect(stdout).toMatch(/^d\/s@1\.2#3 [0-9a-f-]{36}\n$/);
});

it.each([
  [{ command: "npm test" }, "npm test"],
  [{ command: "npm test", cwd: "packages/a" }, 'npm test (in "packages/a")'],
  [{ command: "ls", env: { LD_PRELOAD: "./a.so" } }, 'LD_PRELOAD="./a.so" ls'],
  [{ command: "echo \u00a0a\u202eb\u200b\r\u001b[2K" }, "echo \\u{a0}a\\u{202e}b\\u{200b}\\u{d}\\u{1b}[2K"],
  [{ command: "echo ü 木\n\tdone" }, "echo ü 木\n\tdone"],
])("whoever is asked sees all of the command: %j", (input, title) => {
  expect(runCommand.title(input)).toBe(title);
});
