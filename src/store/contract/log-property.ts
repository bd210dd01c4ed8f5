/** Contract: whatever is appended, packed, reopened and read, the log comes back as it was written. */
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Store } from "../../core/store.ts";
import type { OpenStore } from "../store-contract.ts";
import { SampleSession } from "./sample-session.ts";

const SESSIONS = ["a", "b", "c"];

const text = fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), fc.constant("x".repeat(70_000)));
const rawData = fc.oneof(
  text,
  text.map((line) => ({ event: "stderr" as const, text: line })),
);

const append = fc.record({
  type: fc.constant("append" as const),
  parts: fc.array(
    fc.record({
      session: fc.constantFrom(...SESSIONS),
      events: fc.oneof(fc.array(text, { maxLength: 12 }), fc.integer({ min: 0, max: 1500 })),
      raws: fc.oneof(fc.array(rawData, { maxLength: 6 }), fc.integer({ min: 0, max: 300 })),
      seal: fc.boolean(),
    }),
    { minLength: 1, maxLength: 3 },
  ),
});

const read = fc.record({
  type: fc.constant("read" as const),
  session: fc.constantFrom(...SESSIONS),
  after: fc.nat({ max: 4000 }),
  limit: fc.integer({ min: 1, max: 3000 }),
  maxBytes: fc.option(fc.integer({ min: 1, max: 500_000 }), { nil: undefined }),
  /** Whether packing may run in between. */
  pause: fc.boolean(),
});

const reopening = fc.record({ type: fc.constant("reopen" as const) });

const steps = fc.array(
  fc.oneof(
    { arbitrary: append, weight: 4 },
    { arbitrary: read, weight: 4 },
    { arbitrary: reopening, weight: 1 },
  ),
  { maxLength: 25 },
);

export function logProperty(open: OpenStore, numRuns = 40): void {
  it("gives the same log back after any sequence of appends, packing, reopening and reads", {
    timeout: 120_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const opened = await open();
        let store = opened.store;
        const samples = new Map(SESSIONS.map((id) => [id, new SampleSession(id)]));
        const sampleOf = (id: string) => samples.get(id) as SampleSession;
        for (const step of sequence) {
          if (step.type === "append") {
            await store.append(step.parts.map(({ session, ...content }) => sampleOf(session).batch(content)));
          } else if (step.type === "reopen") {
            store = (await opened.reopen?.()) ?? store;
          } else {
            if (step.pause) await new Promise((resolve) => setImmediate(resolve));
            await expectPage(store, sampleOf(step.session), step);
          }
        }
        for (const sample of samples.values()) await expectWholeLog(store, sample);
        expect(await store.check()).toMatchObject({ ok: true, problems: [] });
        await store.close();
      }),
      { numRuns },
    );
  });
}

async function expectPage(
  store: Store,
  sample: SampleSession,
  query: { after: number; limit: number; maxBytes?: number },
) {
  const { after, limit, maxBytes } = query;
  const { events, head } = await store.readEvents(sample.id, after, limit, maxBytes);
  expect(head).toBe(sample.events.length);
  expect(events).toEqual(sample.events.slice(after, after + events.length));
  const bytes = (count: number) =>
    sample.events.slice(after, after + count).reduce((sum, event) => sum + Buffer.byteLength(event.json), 0);
  // The page ends for exactly one of three reasons: the log's end, the limit, or the bytes.
  const ended =
    after + events.length >= head || events.length === limit || bytes(events.length + 1) > (maxBytes ?? 0);
  expect(ended).toBe(true);
  if (maxBytes !== undefined && events.length > 1) expect(bytes(events.length)).toBeLessThanOrEqual(maxBytes);

  const page = await store.readRaws(sample.id, after, limit, maxBytes);
  expect(page.head).toBe(sample.raws.length);
  expect(page.raws).toEqual(sample.raws.slice(after, after + page.raws.length));
  if (after < page.head) expect(page.raws.length).toBeGreaterThan(0);
}

async function expectWholeLog(store: Store, sample: SampleSession) {
  const events = [];
  for (let after = 0; after < sample.events.length; after = events.length) {
    events.push(...(await store.readEvents(sample.id, after, 700)).events);
  }
  expect(events).toEqual(sample.events);
  expect((await store.readRaws(sample.id, 0, 100_000)).raws).toEqual(sample.raws);
}
