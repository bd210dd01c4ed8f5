/** Checkpoints and restores of files that are killed in the middle. */
import { expect, test } from "vitest";
import { seededRandom } from "../../src/testkit/random.ts";
import {
  killAtSteps,
  killDuringCapture,
  killDuringGarbageCollection,
  killDuringRestore,
} from "../../src/workspace/kill-test-support.ts";

/** A part of all steps, others every time; `test/long/workspace.test.ts` takes all. */
const random = seededRandom("killed workspaces");

test.each([
  ["a checkpoint", killDuringCapture, 19],
  ["a restore", killDuringRestore, 29],
  ["a garbage collection and the deletion of a session", killDuringGarbageCollection, 13],
])("kill -9 during %s: the next process finds all in order, and finishes", async (_name, kill, stride) => {
  const kills = await killAtSteps(random.integer(1, stride), stride, kill);
  expect(kills).toBeGreaterThan(1);
});
