import { type ChildProcess, spawn } from "node:child_process";
import { afterEach, describe, expect, it } from "vitest";
import { endProcesses } from "./end-processes.ts";
import { type ProcessEntry, processTable } from "./process-table.ts";
import { isAlive } from "./test-support.ts";

const started: ChildProcess[] = [];

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

function sleeper(): ProcessEntry {
  const child = spawn("sleep", ["1000"]);
  started.push(child);
  return processTable.read(child.pid!)!;
}

describe("endProcesses", () => {
  it("ends what is picked and what was known before, and nothing else", async () => {
    const [picked, known, other] = [sleeper(), sleeper(), sleeper()];
    const select = (entries: readonly ProcessEntry[]) => entries.filter(({ pid }) => pid === picked.pid);
    const ended = await endProcesses({ select, known: [known], graceMs: 5000 });
    expect(ended.sort()).toEqual([picked.pid, known.pid].sort());
    expect([picked, known, other].map(({ pid }) => isAlive(pid))).toEqual([false, false, true]);
  });

  it("does not signal a process that got the pid of one it was to end", async () => {
    const newcomer = sleeper();
    const stale = { ...newcomer, startTime: "earlier" };
    await endProcesses({ select: () => [stale], graceMs: 0 });
    expect(isAlive(newcomer.pid)).toBe(true);
  });

  it("never signals the daemon itself or the first process", async () => {
    const pids = [1, process.pid];
    const select = (entries: readonly ProcessEntry[]) => entries.filter(({ pid }) => pids.includes(pid));
    expect(await endProcesses({ select, graceMs: 0 })).toEqual([]);
  });

  it("looks again for what was started meanwhile", async () => {
    const first = sleeper();
    const late: ProcessEntry[] = [];
    const select = (_: readonly ProcessEntry[], known: readonly ProcessEntry[]) => {
      if (known.length === 1 && late.length === 0) late.push(sleeper());
      return [first, ...late];
    };
    await endProcesses({ select, graceMs: 5000 });
    expect(late.map(({ pid }) => isAlive(pid))).toEqual([false]);
  });
});
