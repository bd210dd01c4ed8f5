/** What a client gets at most in one answer. */
import type { ServerResponse } from "node:http";
import { Writable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MESSAGE_FOLD_VERSION } from "../../core/message-record.ts";
import type { MessageRow } from "../../core/store.ts";
import { SampleSession } from "../../store/contract/sample-session.ts";
import { until } from "../../testkit/until.ts";
import { V1 } from "../v1-test-support.ts";
import { UnsentAnswers } from "./send-json.ts";

const MEGABYTE = 1_000_000;

let v1: V1;

beforeAll(async () => {
  v1 = await V1.start();
});

afterAll(() => v1.server.close());

test("sessions with 12 MB of metadata each are listed page by page, not a 500", async () => {
  const metadata = { note: "x".repeat(12 * MEGABYTE) };
  const samples = ["fat-1", "fat-2", "fat-3"].map((id) => new SampleSession(id, { agent: "fat", metadata }));
  await v1.server.store.append(samples.map((sample) => sample.batch({ events: 1 })));
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const more = cursor === undefined ? "" : `&cursor=${cursor}`;
    const { status, body } = await v1.call("GET", `/v1/sessions?agent=fat${more}`);
    expect(status).toBe(200);
    expect(body.sessions).toHaveLength(1);
    seen.push(body.sessions[0].id);
    cursor = body.cursor;
  } while (cursor !== undefined);
  expect(seen.sort()).toEqual(["fat-1", "fat-2", "fat-3"]);
});

test("messages with large pictures come in pages that fit, the newest first", async () => {
  const sample = new SampleSession("pictures");
  const messages = [1, 2, 3].map((n) => promptWithPicture(n, 5 * MEGABYTE));
  await v1.server.store.append([sample.batch({ events: 3, messages })]);
  const seen: string[] = [];
  let path = "/v1/sessions/pictures/messages";
  for (let hasMore = true; hasMore; ) {
    const { body } = await v1.call("GET", path);
    expect(body.messages).toHaveLength(1);
    seen.push(body.messages[0].id);
    hasMore = body.hasMore;
    path = `/v1/sessions/pictures/messages?before=${body.messages[0].id}`;
  }
  expect(seen).toEqual(["m3", "m2", "m1"]);
});

test("a queue of large prompts lists all of them, and leaves out what would be too much", async () => {
  const session = await v1.createSession();
  const running = await v1.prompt(session, "scenario:hang");
  const text = "x".repeat(5 * MEGABYTE);
  for (const id of ["q1", "q2"])
    await v1.call("POST", `/v1/sessions/${session}/messages`, { body: { id, text } });
  const { body } = await v1.call("GET", `/v1/sessions/${session}/queue`);
  expect(body.queue).toMatchObject([
    { message: "q1", parts: [{ type: "text", text }] },
    { message: "q2", parts: [], bytes: expect.closeTo(text.length, -3) },
  ]);
  expect(body.hasMore).toBe(false);
  await v1.call("DELETE", `/v1/sessions/${session}`);
  await running.ended;
});

test("a queue that is too much for one answer goes on with a cursor", async () => {
  const session = await v1.createSession();
  const running = await v1.prompt(session, "scenario:hang");
  // Six characters each as JSON.
  const text = "\u0001".repeat(MEGABYTE);
  for (const id of ["q1", "q2", "q3"])
    await v1.call("POST", `/v1/sessions/${session}/messages`, { body: { id, text } });
  const path = `/v1/sessions/${session}/queue`;
  const first = (await v1.call("GET", path)).body;
  expect(first).toMatchObject({ queue: [{ message: "q1" }], hasMore: true });
  const second = (await v1.call("GET", `${path}?cursor=${first.cursor}`)).body;
  expect(second).toMatchObject({ queue: [{ message: "q2", parts: [{ text }] }], hasMore: true });
  // What is gone is no place to go on from: it begins anew, and nothing is missed.
  await v1.call("DELETE", `${path}/q2`);
  const third = (await v1.call("GET", `${path}?cursor=${second.cursor}`)).body;
  expect(third).toMatchObject({ queue: [{ message: "q1" }], hasMore: true });
  await v1.call("DELETE", `/v1/sessions/${session}`);
  await running.ended;
});

test("usage of many sessions and days comes in pages, each with the total of all", async () => {
  const day = (n: number) => new Date(n * 86_400_000).toISOString().slice(0, 10);
  const used = {
    usage: { input: 1 },
    cost: 0,
    turns: 1,
    durationMs: 0,
    waitedMs: 0,
    tools: 0,
    asks: 0,
    allowed: 0,
    denied: 0,
  };
  const usage = Array.from({ length: 1000 }, (_, n) => ({ day: day(n), ...used }));
  const name = "x".repeat(120);
  const samples = Array.from({ length: 35 }, (_, n) => new SampleSession(`${name}${n}`, { agent: "worker" }));
  await v1.server.store.append(samples.map((sample) => sample.batch({ events: 1, usage })));
  const seen = new Set<string>();
  let count = 0;
  let pages = 0;
  for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
    const more = cursor === undefined ? "" : `&cursor=${cursor}`;
    const { body, text } = await v1.call("GET", `/v1/usage?agent=worker${more}`);
    expect(text.length).toBeLessThan(9 * MEGABYTE);
    expect(body.total.turns).toBe(35_000);
    for (const row of body.rows) seen.add(`${row.session} ${row.day}`);
    count += body.rows.length;
    pages += 1;
    cursor = body.cursor;
    expect(body.hasMore).toBe(cursor !== undefined);
  }
  expect(pages).toBeGreaterThan(1);
  expect([seen.size, count]).toEqual([35_000, 35_000]);
  const wrong = await v1.call("GET", "/v1/usage?cursor=nonsense");
  expect([wrong.status, wrong.body.errors[0].path]).toEqual([400, "cursor"]);
});

test("clients that ask for much and take nothing are cut off, the oldest first", async () => {
  const unsent = new UnsentAnswers(10);
  const [one, two, three] = [1, 2, 3].map(() => new Writable() as unknown as ServerResponse);
  for (const response of [one, two, three]) unsent.add(response!, 4);
  expect([one!.destroyed, two!.destroyed, three!.destroyed]).toEqual([true, false, false]);
  expect(unsent.bytes).toBe(8);
  two!.destroy();
  await until(() => unsent.bytes === 4);
});

function promptWithPicture(n: number, bytes: number): MessageRow {
  const url = `data:image/png;base64,${"A".repeat(bytes)}`;
  return {
    id: `m${n}`,
    role: "user",
    state: "done",
    firstSeq: n,
    lastSeq: n,
    position: n,
    foldVersion: MESSAGE_FOLD_VERSION,
    record: { id: `m${n}`, role: "user", at: n, parts: [{ type: "file", url, mediaType: "image/png" }] },
  };
}
