import { execFileSync, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { afterEach, expect, it } from "vitest";
import { processTable } from "./process-table.ts";
import { isAlive } from "./test-support.ts";
import { findUnsignedLeftovers } from "./unsigned-leftovers.ts";

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

it.runIf(isAdoptedByInit)("what a daemon of an earlier version left is told of, and not ended", async () => {
  const id = randomUUID();
  const left = [orphan(`${id}/session#1`), orphan(`${id}#2`)];
  for (const marker of [`${id}x/session#1`, `${id}/session@7.9#1`, randomUUID()]) orphan(marker);
  expect((await findUnsignedLeftovers(id)).sort()).toEqual(left.sort());
  expect(left.map(isAlive)).toEqual([true, true]);
});

it("tells of nothing while a daemon lives that looks after it", async () => {
  const id = randomUUID();
  attended(`${id}/session#1`);
  orphan(`${id}/session#1`);
  expect(await findUnsignedLeftovers(id)).toEqual([]);
});
