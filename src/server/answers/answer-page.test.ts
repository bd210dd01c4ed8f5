import { expect, it } from "vitest";
import { TimeSlices } from "../../core/time-slices.ts";
import { encodeLong } from "./answer-page.ts";

it("does not write what several requests waited for in one turn of the event loop", async () => {
  const slices = new TimeSlices(0);
  let turns = 0;
  let isCounting = true;
  const count = () => {
    turns += 1;
    if (isCounting) setImmediate(count);
  };
  setImmediate(count);
  const folded = Promise.resolve({ text: "x".repeat(1000) });
  const written = await Promise.all(
    [1, 2, 3, 4].map(async () => {
      await encodeLong(await folded, slices);
      return turns;
    }),
  );
  isCounting = false;
  expect(new Set(written).size).toBe(4);
});
