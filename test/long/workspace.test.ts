/** The workspace's tests in full: killed at every step, and larger random trees. */
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  killAtSteps,
  killDuringCapture,
  killDuringGarbageCollection,
  killDuringRestore,
} from "../../src/workspace/kill-test-support.ts";
import { playStory, story } from "../../src/workspace/random-test-support.ts";

test.each([
  ["a checkpoint", killDuringCapture],
  ["a restore", killDuringRestore],
  ["a garbage collection and the deletion of a session", killDuringGarbageCollection],
])("kill -9 at every step of %s", async (_name, kill) => {
  expect(await killAtSteps(1, 1, kill)).toBeGreaterThan(20);
});

test.each([
  [0, 300],
  [2000, 20],
  [20_000, 3],
])("random edits in a tree with %i other files", async (files, numRuns) => {
  await fc.assert(
    fc.asyncProperty(story, (told) => playStory(told, files)),
    { numRuns },
  );
});
