import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

test("requests for a disk that does not answer are answered, and do not hold up those for others", async () => {
  const program = join(import.meta.dirname, "fixtures/hung-disk.ts");
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  expect(JSON.parse(stdout)).toEqual({
    codes: Array.from({ length: 5 }, () => "not_a_directory"),
    opened: 1,
    other: "answered",
    below: "not_a_directory",
    // A directory that opens when nobody waits for it any more.
    isClosed: true,
  });
});
