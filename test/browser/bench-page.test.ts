/** The benchmark of the page runs to its end. What it measures is nobody's business here. */
import { expect, test } from "vitest";
import { TARGETS } from "../../bench/report/targets.ts";
import { measurePage } from "./measure-page.ts";

test("the benchmark of the page gives a figure for everything", async () => {
  const figures = await measurePage({ size: (_full, smoke) => smoke });
  expect(figures.map(({ name }) => name)).toEqual([
    "120 messages: longest task while opening",
    "120 messages: longest task while scrolling through all",
    "a key while an answer streams, p50",
    "a key while an answer streams, p95",
    "a key while an answer streams, slowest",
  ]);
  const targets = TARGETS.filter(({ benchmark }) => benchmark === "page");
  expect(figures.map(({ name }) => name.replace("120", "5,000"))).toEqual(
    expect.arrayContaining(targets.map(({ figure }) => figure)),
  );
  for (const { value } of figures) expect(Number.isFinite(value)).toBe(true);
});
