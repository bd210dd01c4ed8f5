/** What the report says about the figures of a run. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { keep, readKept } from "../bench/harness/kept-results.ts";
import type { Run } from "../bench/harness/results.ts";
import { machineSentence, targetTable } from "../bench/report/tables.ts";

const machine = {
  node: "v24.0.0",
  platform: "linux",
  arch: "x64",
  cores: 2,
  processor: "a processor",
  memoryGB: 8,
  fsyncMs: 0.2,
};

function runWith(results: Run["results"]): Run {
  return { version: "1.2.3", date: "2026-01-31", machine, results };
}

function burst(rate: number, peerRate?: number) {
  const baseline = peerRate === undefined ? undefined : { name: "peer", value: peerRate };
  return {
    benchmark: "peer-burst",
    figures: [{ name: "1 session: rate", unit: "events/s", value: rate, baseline }],
  };
}

it.each([
  ["reached", burst(90_000, 40_000), "| 90000 events/s | 40000 events/s | 2.25 | yes |"],
  [
    "missed, by how much",
    burst(40_000, 40_000),
    "| 40000 events/s | 40000 events/s | 1.00 | no, by a factor of 2.0 |",
  ],
  ["without the peer", burst(90_000), "| 90000 events/s |  |  | not compared |"],
  ["not run", { benchmark: "store", figures: [] }, "| not measured |  |  |  |"],
])("a target: %s", (_name, result, cells) => {
  expect(targetTable(runWith([result]))).toContain(`| burst, 1 session: rate | at least 2 × ${cells}\n`);
});

it("a benchmark that ran again replaces its former figures, and leaves the others", () => {
  const directory = mkdtempSync(join(tmpdir(), "interlingua-results-"));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const other = { benchmark: "store", figures: [{ name: "read", unit: "events/s", value: 1 }] };
  keep(runWith([burst(1), other]), directory);
  keep(runWith([burst(2)]), directory);
  const kept = readKept("1.2.3", directory)?.results.map(({ benchmark, figures }) => [
    benchmark,
    figures[0]?.value,
  ]);
  expect(kept).toEqual([
    ["store", 1],
    ["peer-burst", 2],
  ]);
  expect(readKept("1.2.4", directory)).toBeUndefined();
});

it("says so when the figures are not of one run", () => {
  const [first, second] = ["peer-burst", "store"].map((benchmark) => ({
    benchmark,
    run: "monday",
    figures: [],
  }));
  expect(machineSentence(runWith([first!, second!]))).toContain("All figures are of one run.");
  expect(machineSentence(runWith([first!, { ...second!, run: "tuesday" }]))).toContain("several runs");
  expect(machineSentence(runWith([burst(1)]))).toContain("several runs");
});
