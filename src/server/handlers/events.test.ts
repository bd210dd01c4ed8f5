import { afterAll, beforeAll, expect, test } from "vitest";
import { V1 } from "../v1-test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await V1.start();
});

afterAll(() => v1.server.close());

test("come in pages that fit together", async () => {
  const session = await v1.createSession();
  await v1.run(session, "scenario:rich");
  const log = await v1.events(session);
  const paged = [];
  for (let after = 0, hasMore = true; hasMore; after = paged.length) {
    const page = (await v1.call("GET", `/v1/sessions/${session}/events?after=${after}&limit=7`)).body;
    expect(page.head).toBe(log.length);
    paged.push(...page.events);
    hasMore = page.hasMore;
  }
  expect(paged).toEqual(log);
  const offset = (await v1.call("GET", `/v1/sessions/${session}/events?offset=3&limit=1`)).body;
  expect(offset.events).toEqual([log[3]]);
  const end = (await v1.call("GET", `/v1/sessions/${session}/events?after=${log.length}`)).body;
  expect(end).toEqual({ events: [], head: log.length, hasMore: false });
});

test("an event can bring the raw record it was made from", async () => {
  const session = await v1.createSession();
  await v1.run(session, "scenario:text");
  const raws = (await v1.call("GET", `/v1/sessions/${session}/raw?limit=1000`)).body.raws;
  const withRaw = (await v1.call("GET", `/v1/sessions/${session}/events?include=raw`)).body.events;
  expect(withRaw).toHaveLength((await v1.events(session)).length);
  for (const event of withRaw)
    expect(event.rawRecord).toEqual(event.raw === undefined ? undefined : raws[event.raw - 1]);
  expect(withRaw.some((event: object) => "rawRecord" in event)).toBe(true);
  const page = (await v1.call("GET", `/v1/sessions/${session}/raw?after=2&limit=1`)).body;
  expect(page).toEqual({ raws: [raws[2]], head: raws.length, hasMore: true });
});
