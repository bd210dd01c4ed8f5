/** The benchmarks still run. What they measure is nobody's business here: a shared machine cannot be held to a time. */
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, it } from "vitest";
import { BENCHMARKS } from "../bench/benchmarks.ts";

const MAIN = join(import.meta.dirname, "../bench/main.ts");

it("every benchmark runs to its end and tells what it measured", { timeout: 180_000 }, async () => {
  // Rejects when it exits with anything but 0.
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, "--smoke"]);
  const [, ...rows] = stdout.trimEnd().split("\n");
  const measured = new Set(rows.map((row) => row.split(" ")[0]));
  expect([...measured]).toEqual(BENCHMARKS.map(({ name }) => name));
  expect(stdout).not.toContain("NaN");
});
