/** Work on a disk that does not answer ends, and takes one of the threads that all file work shares. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const PROGRAM = join(import.meta.dirname, "hung-disk-work.ts");
const REFUSED = expect.stringContaining("a file system does not answer");

async function work(name: string, times: number): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, name, String(times)]);
  return JSON.parse(stdout);
}

test.each([
  ["checkpoints of its directories", "checkpoint", [REFUSED]],
  ["questions whether it has checkpoints", "kept", [REFUSED]],
  ["questions whether it can have checkpoints", "obstacle", [REFUSED]],
  ["files on it that agents say they changed", "attribution", ["answered"]],
  ["files on it that agents ask the daemon for", "agent", [REFUSED]],
])("five %s do not stop all file work", async (_name, program, outcomes) => {
  const found = (await work(program, 5)) as { outcomes: string[] };
  expect({ ...found, outcomes: found.outcomes.slice(0, 1) }).toEqual({ waiting: 1, outcomes });
});

test("a core.excludesFile on it does not keep a prompt waiting for good", async () => {
  expect(await work("excludes", 1)).toEqual({ waiting: 1, outcomes: [REFUSED] });
});
