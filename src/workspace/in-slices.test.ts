import { expect, test } from "vitest";
import { selectEntries } from "./in-slices.ts";

test("a long list of names does not hold up others in the process", async () => {
  const names = Array.from({ length: 10 }, (_, at) => `folder/näme ${at}`);
  const output = Buffer.from(names.map((name) => `${name}\0`).join(""), "latin1");
  let isOver = false;
  let turns = 0;
  const countTurns = () => {
    turns += 1;
    if (!isOver) setImmediate(countTurns);
  };
  countTurns();
  const selected = await selectEntries(output, (name) => {
    // Longer than a slice of time is, as many names would take.
    const until = performance.now() + 8;
    while (performance.now() < until);
    return /[37]$/.test(name);
  });
  isOver = true;
  expect(selected).toEqual([names[3], names[7]]);
  expect(turns).toBeGreaterThan(names.length / 2);
});

test("of an empty list nothing is selected", async () => {
  expect(await selectEntries(Buffer.alloc(0), () => true)).toEqual([]);
});
