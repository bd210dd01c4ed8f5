import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import type { MessageRow } from "../../core/store.ts";
import { TimeSlices } from "../../core/time-slices.ts";
import type { MemoryStore } from "../../store/memory/memory-store.ts";
import { SyntheticLogs } from "../synthetic-server-test-support.ts";
import { MessageHistory } from "./message-history.ts";

const DELTAS = 5000;
const place = { turn: "t1", message: "m1" };

async function longMessage(): Promise<{ store: MemoryStore; row: MessageRow; reads: () => number }> {
  const logs = new SyntheticLogs();
  await logs.create("s");
  const deltas = Array.from({ length: DELTAS }, () => ({
    type: "text.delta",
    part: "p",
    delta: "x",
    raw: 7,
    ...place,
  }));
  await logs.append("s", [
    { type: "message.started", replyTo: "u1", raw: 3, ...place },
    { type: "text.start", part: "p", ...place },
    ...deltas,
    { type: "turn.ended", outcome: "completed", usage: {}, durationMs: 1, ...place },
  ]);
  const store = logs.store as MemoryStore;
  let reads = 0;
  const readEvents = store.readEvents.bind(store);
  store.readEvents = (...given) => {
    reads += 1;
    return readEvents(...given);
  };
  const row: MessageRow = {
    id: "m1",
    role: "assistant",
    state: "done",
    firstSeq: 2,
    lastSeq: DELTAS + 4,
    turn: "t1",
  };
  return { store, row, reads: () => reads };
}

test("the event loop does not stand still while the message of a long turn is folded", async () => {
  const { store, row } = await longMessage();
  const folding = new MessageHistory(store, new TimeSlices(0)).recordOf("s", row);
  let isDone = false;
  void folding.then(() => {
    isDone = true;
  });
  let turns = 0;
  for (; !isDone; turns += 1) await setImmediate();
  const { events = [] } = await folding;
  expect(events.find(({ type }) => type === "text.delta")).toMatchObject({ delta: "x".repeat(DELTAS) });
  // Without pauses all of it would be done in the first.
  expect(turns).toBeGreaterThan(2);
});

test("five who ask for a long message at once share one fold, and the next one has it", async () => {
  const { store, row, reads } = await longMessage();
  const history = new MessageHistory(store, new TimeSlices());
  await history.recordOf("s", row);
  const once = reads();
  const fresh = new MessageHistory(store, new TimeSlices());
  const records = await Promise.all([1, 2, 3, 4, 5].map(() => fresh.recordOf("s", row)));
  expect(reads()).toBe(2 * once);
  expect(new Set(records).size).toBe(1);
  expect(await fresh.recordOf("s", row)).toBe(records[0]);
  expect(reads()).toBe(2 * once);
});

test("the raw records and the end of a long message are found without reading all of it", async () => {
  const { store, row, reads } = await longMessage();
  const history = new MessageHistory(store, new TimeSlices());
  expect(await history.rawsOf("s", row)).toEqual({ first: 3, last: 7 });
  expect((await history.endOfTurn("s", "t1", row.lastSeq - 1))?.seq).toBe(row.lastSeq);
  expect(reads()).toBeLessThan(6);
});
