import { expect, test } from "vitest";
import type { RawRecord } from "../../core/raw-record.ts";
import { TimeSlices } from "../../core/time-slices.ts";
import { MemoryStore } from "../../store/memory/memory-store.ts";
import { LogSlice } from "./log-slice.ts";
import { RawOrigins } from "./raw-origins.ts";

/** Raw records of these sizes, and events that name them. */
async function originsOf(sizes: readonly number[], agentSessionId?: string) {
  const store = new MemoryStore();
  const raws = sizes.map(
    (size, index): RawRecord => ({
      rawSeq: index + 1,
      direction: "in",
      generation: 1,
      at: 0,
      data: "x".repeat(size),
    }),
  );
  store.readRaws = async (_, after, limit) => ({
    raws: raws.slice(after, after + Math.min(limit, 3)),
    head: raws.length,
  });
  const origins = new RawOrigins(
    { store, slices: new TimeSlices(Number.POSITIVE_INFINITY) },
    "s",
    agentSessionId,
  );
  let seq = 0;
  /** The numbers of the records beside these events; 0 where there is none. */
  return async (...named: readonly (number | object)[]) => {
    const events = named.map((one) => {
      seq += 1;
      const body = typeof one === "number" ? { type: "text.delta", part: "p", delta: "", raw: one } : one;
      return { seq, json: JSON.stringify({ session: "s", seq, at: 0, ...body }) };
    });
    const slice = await origins.add(new LogSlice(events));
    expect(slice.events.map((event) => event.seq)).toEqual(events.map((event) => event.seq));
    return slice.events.map(({ json }) => JSON.parse(json));
  };
}

const numbers = (events: { rawRecord?: RawRecord }[]) =>
  events.map(({ rawRecord }) => rawRecord?.rawSeq ?? 0);

test("a small record is beside each event that came from it, a large one beside the first, a huge one nowhere", async () => {
  const add = await originsOf([100, 20_000, 2_000_000, 50]);
  expect(numbers(await add(1, 1, 2, 2, 3, 3, 4))).toEqual([1, 1, 2, 0, 0, 0, 4]);
});

test("a large record is beside the first event that came from it, also when the others come in another slice", async () => {
  const add = await originsOf([20_000]);
  expect(numbers(await add(1))).toEqual([1]);
  expect(numbers(await add(1, 1))).toEqual([0, 0]);
});

test("the records of one slice are bounded together", async () => {
  const add = await originsOf(Array.from({ length: 20 }, () => 900_000));
  const shown = numbers(await add(...Array.from({ length: 20 }, (_, index) => index + 1)));
  expect(shown.filter((number) => number > 0)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
  expect(numbers(await add(10, 11))).toEqual([10, 11]);
});

test("the agent's id of the conversation is the one at that place of the log", async () => {
  const add = await originsOf([1, 1, 1], "before");
  const attached = { type: "session.attached", agentSessionId: "after", raw: 2 };
  const events = await add(1, attached, 3, { type: "session.closed" });
  const ids = events.map(({ rawRecord }) => rawRecord?.agentSessionId);
  expect(ids).toEqual(["before", "after", "after", undefined]);
});
