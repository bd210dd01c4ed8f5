/** The n-th system call on the data directory fails: the daemon lives, nothing acknowledged is lost. */

import { mkdirSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { until } from "../../src/testkit/until.ts";
import { temporaryDirectory } from "../crash/daemon-process.ts";
import { expectNothingLost } from "./expect-nothing-lost.ts";
import { compileInterposer, type SystemCallFault, SystemCalls } from "./faulty-daemon.ts";
import { Scenario } from "./scenario.ts";
import { SPARSE, sweep } from "./sweep.ts";

const library = compileInterposer();
const { EAGAIN, EIO, ENOSPC, EMFILE } = constants.errno;
const SHORT = 0;

/** True when the fault fired. */
async function play(fault: SystemCallFault): Promise<boolean> {
  await using directory = await temporaryDirectory();
  const data = join(directory.path, "data");
  mkdirSync(data);
  const calls = new SystemCalls(data, library!);
  calls.fail(fault);
  const scenario = new Scenario(() => calls.start());
  const isLasting = fault.times > 1;
  const playing = scenario.play();
  try {
    if (isLasting) {
      // A disk that fails for a while, and then no more.
      await Promise.race([playing, until(() => calls.fired.length > 0).catch(() => {})]);
      await sleep(1000);
      calls.lift();
    }
    await playing;
  } finally {
    calls.lift();
    await scenario.end();
  }
  await expectNothingLost(data, scenario, isLasting ? 0 : 1);
  return calls.fired.length > 0;
}

async function expectSweep(fault: Omit<SystemCallFault, "nth">): Promise<void> {
  const { fired, failures } = await sweep((nth) => play({ ...fault, nth }), SPARSE);
  console.log(`${fault.call}: ${fired} failed one after the other`);
  expect(failures.join("\n")).toBe("");
  expect(fired).toBeGreaterThan(0);
}

describe.skipIf(!library)("the n-th call fails, and no other:", () => {
  it.each([
    ["pread64", EIO],
    ["pread64", SHORT],
    ["pwrite64", EIO],
    ["pwrite64", ENOSPC],
    ["pwrite64", SHORT],
    ["fsync", EIO],
    ["ftruncate64", ENOSPC],
    ["rename", EIO],
    ["unlink", EIO],
    ["open", EIO],
    ["open", EMFILE],
    ["read", EIO],
    ["write", ENOSPC],
    ["fork", EAGAIN],
  ])("%s with %i", (call, errno) => expectSweep({ call, errno, times: 1 }));
});

describe.skipIf(!library)("from the n-th on all calls fail for a while:", () => {
  it.each([
    ["pwrite64", ENOSPC],
    ["fsync", EIO],
    ["pread64", EIO],
  ])("%s with %i", (call, errno) => expectSweep({ call, errno, times: 1_000_000 }));
});
