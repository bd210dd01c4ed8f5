import { type ChildProcess, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { eventually } from "../testkit/eventually.ts";
import type { ProcessEntry } from "./process-table.ts";
import { processTable } from "./process-table.ts";
import { type Reaper, startReaper } from "./reaper.ts";
import { REAPER_SCRIPT } from "./reaper-script.ts";
import { isAlive } from "./test-support.ts";

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

function isStopped(pid: number): boolean {
  return /\) T /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

function isReaper({ pid, parent, zombie }: ProcessEntry): boolean {
  if (parent !== process.pid || zombie) return false;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("agent-reaper");
  } catch {
    // It ended while we looked.
    return false;
  }
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

  it.skipIf(process.platform !== "linux")(
    "stops its groups when the daemon is silent for too long, and lets them go on when it is not",
    async () => {
      const pid = await group(":");
      const subject = reaper();
      subject.watch(pid);
      for (let round = 0; round < 3; round += 1) subject.freezeIn(60_000);
      subject.freezeIn(100);
      await eventually("it is stopped", () => isStopped(pid));
      subject.freezeIn(60_000);
      await eventually("it goes on", () => !isStopped(pid));
      subject.freezeIn(0);
      await eventually("it is stopped again", () => isStopped(pid));
      await subject.stop();
      await eventually("it is gone", () => !isAlive(pid));
    },
  );

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

  it("that is killed while no file descriptor is free is replaced later", async () => {
    // In a process of its own, which may open only so many.
    const script = `
      import { openSync, closeSync } from "node:fs";
      import { execFileSync } from "node:child_process";
      import { startReaper } from ${JSON.stringify(new URL("./reaper.ts", import.meta.url).href)};
      const reapers = () => execFileSync("ps", ["-o", "pid=,args=", "--ppid", String(process.pid)], { encoding: "utf8" })
        .split(/\\n(?= *\\d+ )/).filter((row) => row.includes("trap")).map((row) => Number.parseInt(row, 10));
      const reaper = startReaper();
      const before = reapers();
      const files = [];
      try { for (;;) files.push(openSync("/dev/null")); } catch {}
      for (const pid of before) process.kill(pid, "SIGKILL");
      setTimeout(async () => {
        for (const file of files) closeSync(file);
        const look = setInterval(async () => {
          const now = reapers().filter((pid) => !before.includes(pid));
          if (now.length < 2) return;
          clearInterval(look);
          await reaper.stop();
          console.log("replaced", before.length, now.length);
        }, 100);
      }, 2500);
    `;
    const child = spawn("/bin/sh", [
      "-c",
      'ulimit -n 64; exec "$@"',
      "sh",
      process.execPath,
      "--input-type=module",
      "-e",
      script,
    ]);
    started.push(child);
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
    await new Promise((resolve) => child.once("close", resolve));
    expect(output).toBe("replaced 2 2\n");
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
