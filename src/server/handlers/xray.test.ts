import { afterAll, beforeAll, expect, test } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { SessionEvent } from "../../core/event.ts";
import { toRecordingLine } from "../../core/recording-line.ts";
import { sessionUlid } from "../../core/session-ulid.ts";
import { ResponsesView } from "../../dialects/agentsmithy/responses-view.ts";
import { messageFormat } from "../../dialects/ai-sdk/view.ts";
import type { View } from "../../dialects/dialect.ts";
import { UnifiedView } from "../../dialects/unified/unified-view.ts";
import { TOKEN } from "../http-client-test-support.ts";
import { refusal, V1 } from "../v1-test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await V1.start();
});

afterAll(() => v1.server.close());

type Xray = Awaited<ReturnType<typeof xray>>;

async function xray(session: string, seq?: number) {
  const query = seq === undefined ? "" : `?seq=${seq}`;
  return (await v1.call("GET", `/v1/sessions/${session}/xray${query}`)).body as {
    seq: number;
    head: number;
    raw: { rawSeq: number; data: unknown; unread?: string[] }[];
    events: SessionEvent[];
    frames: { dialect: string; frames: { seq: number; text: string }[] }[];
    unread?: string[];
    previous?: number;
    next?: number;
  };
}

/** From the first entry to the last, as `next` leads. */
async function walk(session: string): Promise<Xray[]> {
  const entries: Xray[] = [];
  for (let seq: number | undefined = 1; seq !== undefined; ) {
    const entry: Xray = await xray(session, seq);
    entries.push(entry);
    seq = entry.next;
  }
  return entries;
}

function framesOf(entries: readonly Xray[], dialect: string): string[] {
  return entries.flatMap(({ frames }) =>
    frames.filter((each) => each.dialect === dialect).flatMap((each) => each.frames.map(({ text }) => text)),
  );
}

let busy: Promise<string> | undefined;

/** A session in which people and the agent did a lot, an ask among it. */
function busySession(): Promise<string> {
  busy ??= makeBusySession();
  return busy;
}

async function makeBusySession(): Promise<string> {
  const session = await v1.createSession({ options: { pace: 0 } });
  await v1.run(session, "scenario:rich");
  const { ask, stream } = await v1.ask(session, "approve");
  await v1.call("POST", `/v1/sessions/${session}/asks/${ask}/reply`, { body: { option: "allow" } });
  await stream.ended;
  await v1.run(session, "scenario:garbage");
  return session;
}

test("every entry leads to the next one, and together they are the log and all raw records, once", async () => {
  const session = await busySession();
  const log = await v1.events(session);
  expect(checkLog(log)).toEqual([]);
  const entries = await walk(session);
  expect(entries.flatMap(({ events }) => events)).toEqual(log);
  const shown = entries.flatMap(({ raw }) => raw.map(({ rawSeq }) => rawSeq));
  const last = shown.at(-1)!;
  expect(last).toBeGreaterThan(20);
  expect(shown).toEqual(Array.from({ length: last }, (_, at) => at + 1));
  for (const { raw, events } of entries)
    for (const event of events) expect(event.raw).toBe(raw.at(-1)?.rawSeq);
  for (const { previous, events } of entries)
    expect(previous).toBe(events[0]!.seq === 1 ? undefined : events[0]!.seq - 1);
  expect((await xray(session)).seq).toBe(log.length);
});

test("the frames are those that clients get who follow from the beginning", async () => {
  const session = await busySession();
  const log = await v1.events(session);
  const entries = await walk(session);
  const { createdAt } = (await v1.call("GET", `/v1/sessions/${session}`)).body;
  const whole = (view: View) => log.flatMap((event) => view.add(event).map(({ text }) => text));

  expect(framesOf(entries, "v1")).toEqual(
    log.map((event) => `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`),
  );
  expect(framesOf(entries, "unified")).toEqual(whole(new UnifiedView()));
  expect(framesOf(entries, "agentsmithy")).toEqual(
    whole(new ResponsesView({ dialog: sessionUlid(session, createdAt) })),
  );
  const chunks = log.flatMap((event, at) => {
    if (event.type !== "message.started") return [];
    const view = messageFormat().createView({ agent: "mock" });
    return log.slice(at).flatMap((later) => view.add(later).map(({ text }) => text));
  });
  expect(framesOf(entries, "chat")).toEqual(chunks);
  expect(chunks.length).toBeGreaterThan(50);
});

test("AgentSmithy gets a response to each prompt and to each answer", async () => {
  const entries = await walk(await busySession());
  const frames = framesOf(entries, "agentsmithy").join("");
  expect(frames.match(/"type":"user"|event: user/g)).toHaveLength(4);
  expect(frames.match(/"done":true/g)).toHaveLength(4);
});

test("what was not understood is there as it came", async () => {
  const session = await v1.createSession({ options: { pace: 0 } });
  await v1.run(session, "scenario:garbage");
  const log = await v1.events(session);
  const unknown = log.find(({ type }) => type === "agent.unknown")!;
  const entry = await xray(session, unknown.seq);
  expect(entry.raw.at(-1)).toMatchObject({ direction: "in", rawSeq: unknown.raw });
  expect(entry.events.map(({ type }) => type)).toContain("agent.unknown");
});

test("a very long line is cut, and says so", async () => {
  const session = await v1.createSession({ options: { pace: 0 } });
  await v1.run(session, "scenario:huge:2");
  const raws = (await v1.call("GET", `/v1/sessions/${session}/raw?limit=1000`)).body.raws;
  const long = raws.find(
    ({ data }: { data: unknown }) => typeof data === "string" && data.length > 1_000_000,
  );
  const event = (await v1.events(session)).find(({ raw }) => raw === long.rawSeq)!;
  const record = (await xray(session, event.seq)).raw.at(-1)!;
  expect(record).toMatchObject({
    data: long.data.slice(0, 256 * 1024),
    leftOut: long.data.length - 256 * 1024,
  });
});

test("refuses what is not in the log, and names what was wrong", async () => {
  const session = await v1.createSession({ options: { pace: 0 } });
  const { head } = await xray(session);
  const call = (query: string) => v1.call("GET", `/v1/sessions/${session}/xray?${query}`);
  expect(refusal(await call(`seq=${head + 1}`))).toEqual([400, "cursor_beyond_end"]);
  for (const query of ["seq=0", "seq=one", "seq=-1", "seq=", "sequence=1"]) {
    const answer = await call(query);
    expect(refusal(answer), query).toEqual([400, "invalid_request"]);
    expect(answer.body.detail, query).toMatch(/seq/);
  }
  expect(refusal(await v1.call("GET", "/v1/sessions/nobody/xray"))).toEqual([404, "session_not_found"]);
  expect(refusal(await v1.call("GET", "/v1/sessions/nobody/recording"))).toEqual([404, "session_not_found"]);
});

test("a recording has every raw record as its line", async () => {
  const session = await busySession();
  const raws = (await v1.call("GET", `/v1/sessions/${session}/raw?limit=1000`)).body.raws;
  const response = await fetch(`${v1.server.url}/v1/sessions/${session}/recording`, {
    headers: { authorization: `Bearer ${TOKEN}` },
  });
  expect(response.headers.get("content-type")).toBe("application/jsonl; charset=utf-8");
  expect(response.headers.get("content-disposition")).toBe(
    `attachment; filename="${session}.recording.jsonl"`,
  );
  const lines = (await response.text()).trimEnd().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toEqual(
    raws.map((record: Parameters<typeof toRecordingLine>[0]) => toRecordingLine(record, raws[0].at)),
  );
});
