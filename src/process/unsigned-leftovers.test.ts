import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { processTable } from "./process-table.ts";
import { isAlive } from "./test-support.ts";
import { endUnsignedLeftovers } from "./unsigned-leftovers.ts";

const started: number[] = [];
afterEach(() => {
  for (const pid of started.splice(0)) if (isAlive(pid)) process.kill(pid, "SIGKILL");
});

const environment = (marker: string) => ({ PATH: process.env.PATH, INTERLINGUA_OWNER: marker });

/** Its parent is gone. */
function orphan(marker: string): number {
  const script = "sleep 1000 >/dev/null 2>&1 & echo $!";
  const pid = Number(execFileSync("/bin/sh", ["-c", script], { env: environment(marker) }));
  started.push(pid);
  return pid;
}

/** As one of a daemon that lives: this process. */
function attended(marker: string): number {
  const { pid } = spawn("sleep", ["1000"], { env: environment(marker) });
  started.push(pid!);
  return pid!;
}

// Elsewhere orphans are adopted by a session manager, which looks like a daemon that lives.
const isAdoptedByInit = processTable.read(orphan("nobody"))?.parent === 1;

it.runIf(isAdoptedByInit)(
  "what a daemon of an earlier version left is still there after the start",
  async () => {
    const id = randomUUID();
    const left = [orphan(`${id}/session#1`), orphan(`${id}#2`)];
    const others = [orphan(`${id}x/session#1`), orphan(`${id}/session@7.9#1`), orphan(randomUUID())];
    expect((await endUnsignedLeftovers(id)).sort()).toEqual(left.sort());
    expect(left.map(isAlive)).toEqual([false, false]);
    expect(others.map(isAlive)).toEqual([true, true, true]);
  },
);

it("ends nothing while a daemon may live whose directory was copied", async () => {
  const id = randomUUID();
  const processes = [attended(`${id}/session#1`), orphan(`${id}/session#1`)];
  expect(await endUnsignedLeftovers(id)).toEqual([]);
  expect(processes.map(isAlive)).toEqual([true, true]);
});
