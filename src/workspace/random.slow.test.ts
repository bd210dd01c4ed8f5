import fc from "fast-check";
import { test } from "vitest";
import { playStory, story } from "./random-test-support.ts";

test("a restore gives back what the agent changed, and nothing of anybody else is lost", async () => {
  await fc.assert(
    fc.asyncProperty(story, (told) => playStory(told, 0)),
    // Always the same ones; how many is the machine's. test/long/workspace.test.ts has more of them, and others each time.
    { seed: 17, numRuns: 40, interruptAfterTimeLimit: 30_000 },
  );
}, 300_000);
