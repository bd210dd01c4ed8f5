/**
 * Texts of agents and repositories that repeat one character 300,000 times. Code that takes the square of their length needs
 * minutes for one of them. The program is ended long before, and names what it was at. `SEED=…` plays a run again.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { seededRandom } from "../../src/testkit/random.ts";

const { seed } = seededRandom("long runs");

const PROGRAM = join(import.meta.dirname, "play-long-runs.ts");

/** Many times what is needed. */
const MAX_MS = 45_000;

it.each(["helpers", "translators"])(
  "a text with 300,000 times one character does not stop the event loop: %s",
  (what) => {
    const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, what, String(seed)], {
      timeout: MAX_MS,
      killSignal: "SIGKILL",
      encoding: "utf8",
      maxBuffer: 64 * 2 ** 20,
    });
    expect(stderr).not.toContain("Error");
    expect(stdout.trimEnd().split("\n").at(-1)).toBe("done");
  },
);
