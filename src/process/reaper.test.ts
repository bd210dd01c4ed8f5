import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import type { ProcessEntry } from "./process-table.ts";
import { processTable } from "./process-table.ts";
import { type Reaper, startReaper } from "./reaper.ts";
import { REAPER_SCRIPT } from "./reaper-script.ts";
import { eventually, isAlive } from "./test-support.ts";

const started: ChildProcess[] = [];
const reapers: Reaper[] = [];

afterEach(async () => {
  for (const reaper of reapers.splice(0)) await reaper.stop();
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

function reaper(): Reaper {
  const started = startReaper();
  reapers.push(started);
  return started;
}

async function group(script: string): Promise<number> {
  const child = spawn("/bin/sh", ["-c", `${script}; echo ready; while :; do sleep 1; done`], {
    detached: true,
  });
  started.push(child);
  await new Promise((resolve) => child.stdout.once("data", resolve));
  return child.pid!;
}

function isReaper({ pid, parent, zombie }: ProcessEntry): boolean {
  if (parent !== process.pid || zombie) return false;
  return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("agent-reaper");
}

describe("reaper", () => {
  it("ends the groups it watches, also those that ignore SIGTERM, and leaves the forgotten ones", async () => {
    const [polite, stubborn, forgotten] = [await group(":"), await group("trap '' TERM"), await group(":")];
    const subject = reaper();
    for (const pid of [polite, stubborn, forgotten]) subject.watch(pid);
    subject.forget(forgotten);
    await subject.stop();
    await eventually("both are gone", () => !isAlive(polite) && !isAlive(stubborn));
    expect(isAlive(forgotten)).toBe(true);
  });

  it("that is killed is replaced, and the next one knows the groups", async () => {
    const pid = await group(":");
    const subject = reaper();
    subject.watch(pid);
    const reapers = async () => (await processTable.list()).filter(isReaper).map((entry) => entry.pid);
    const before = await reapers();
    expect(before).toHaveLength(2);
    for (const one of before) process.kill(one, "SIGKILL");
    await eventually("there are two new ones", async () => {
      return (await reapers()).filter((one) => !before.includes(one)).length === 2;
    });
    await subject.stop();
    await eventually("the group is gone", () => !isAlive(pid));
  });

  it("stops twice, and takes news after that without harm", async () => {
    const subject = reaper();
    await Promise.all([subject.stop(), subject.stop()]);
    subject.watch(4_000_000);
    subject.forget(4_000_000);
  });

  it("refuses numbers with which `kill` would reach everybody", () => {
    const subject = reaper();
    for (const pid of [0, 1, -1, 1.5, Number.NaN]) expect(() => subject.watch(pid)).toThrow(RangeError);
  });

  it("keeps the right groups, whatever it is told", async () => {
    // The script's own book-keeping: `kill` is replaced by a function that prints.
    const script = `kill() { echo "$*"; }; ${REAPER_SCRIPT}`;
    const input = "+12\n+123\n+12\n+1\n+0\n+-1\n+\n+22x\n+ \n+99\n-12\n-5\n-99\n+44\n+45\n-123\n+04\n+7";
    const child = spawn("/bin/sh", ["-c", script], { stdio: ["pipe", "pipe", "ignore"] });
    let output = "";
    child.stdout.on("data", (chunk) => {
      output += chunk;
    });
    child.stdin.end(input);
    await new Promise((resolve) => child.once("close", resolve));
    const rounds = ["TERM", ...Array(5).fill("0"), ...Array(5).fill("KILL")];
    expect(output.trim().split("\n")).toEqual(
      rounds.flatMap((name) => [`-s ${name} -- -44`, `-s ${name} -- -45`]),
    );
  });
});
