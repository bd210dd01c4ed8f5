/** The workspace's tests in full: killed at every step, and larger random trees. */
import { expect, test } from "vitest";
import {
  killAtSteps,
  killDuringCapture,
  killDuringRestore,
  killDuringUpkeep,
} from "../../src/workspace/kill-test-support.ts";

test.each([
  ["a checkpoint", killDuringCapture],
  ["a restore", killDuringRestore],
  ["upkeep and the deletion of a session", killDuringUpkeep],
])("kill -9 at every step of %s", async (_name, kill) => {
  expect(await killAtSteps(1, 1, kill)).toBeGreaterThan(20);
});
