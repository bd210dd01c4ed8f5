import { expect, test } from "vitest";
import type { View } from "../../dialects/dialect.ts";
import { LogSlice } from "./log-slice.ts";
import { ViewTracks } from "./view-tracks.ts";

/** A view that throws at one event. */
function createView(poison?: number): View & { seen: number[] } {
  const seen: number[] = [];
  return {
    seen,
    add: ({ seq }) => {
      if (seq === poison) throw new Error("on purpose");
      seen.push(seq);
      return [{ text: `${seq}` }];
    },
  };
}

const slice = (...seqs: number[]) =>
  new LogSlice(seqs.map((seq) => ({ seq, json: JSON.stringify({ seq, type: "text.delta" }) })));

test("a shared view that throws in the middle of a slice is given to no other reader", () => {
  const tracks = new ViewTracks();
  const broken = createView(3);
  const track = tracks.begin("k", 0, broken);
  expect(tracks.begin("k", 0, createView())).toBe(track);
  track.take(slice(1));
  for (const _ of [1, 2]) expect(tracks.enter("k", track)).toBe(track);
  const poisoned = slice(2, 3, 4);
  expect(() => track.take(poisoned)).toThrow("on purpose");
  expect(track.canTake(poisoned)).toBe(false);
  expect(broken.seen).toEqual([1, 2]);
  const later = tracks.begin("k", 0, createView());
  expect(later).not.toBe(track);
  for (const part of [slice(1), poisoned]) later.take(part);
  expect(tracks.enter("k", later)).toBe(later);
  expect(tracks.get("k")).toBe(later);
});
