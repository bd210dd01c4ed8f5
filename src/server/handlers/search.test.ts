import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../testkit/until.ts";
import { refusal, V1 } from "../v1-test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await V1.start();
});

afterAll(() => v1.server.close());

async function say(session: string, id: string, text: string): Promise<void> {
  await v1.call("POST", `/v1/sessions/${session}/messages`, { body: { id, text } });
  await until(async () => (await v1.call("GET", `/v1/sessions/${session}`)).body.status === "idle");
}

async function found(query: string): Promise<string[]> {
  const { body } = await v1.call("GET", `/v1/search?${query}`);
  return body.results.map(({ session, role }: { session: string; role: string }) => `${session} ${role}`);
}

test("prompts and answers are found by their words, with the place where they stand", async () => {
  const id = await v1.createSession({ title: "Animals", options: { pace: 0 } });
  await say(id, "u1", "scenario:echo The zebra crosses");
  const { body } = await v1.call("GET", "/v1/search?q=Zebra%20cro");
  expect(body).toEqual({
    results: [
      {
        session: id,
        title: "Animals",
        agent: "mock",
        cwd: v1.server.root,
        message: expect.stringMatching(/^msg_/),
        role: "assistant",
        at: expect.any(Number),
        snippet: [
          { text: expect.stringMatching(/The $/) },
          { text: "zebra", match: true },
          { text: " " },
          { text: "crosses", match: true },
        ],
      },
      expect.objectContaining({ message: "u1", role: "user" }),
    ],
  });
  const message = await v1.call("GET", `/v1/sessions/${id}/messages/${body.results[0].message}`);
  expect(message.body.state).toBe("done");
});

test("pages, one session, archived ones or not", async () => {
  const one = await v1.createSession({ options: { pace: 0 } });
  const two = await v1.createSession({ options: { pace: 0 } });
  for (const id of [one, two]) await say(id, "u1", "scenario:echo walrus");
  await v1.call("PATCH", `/v1/sessions/${one}`, { body: { archived: true } });
  const all = [`${two} assistant`, `${two} user`, `${one} assistant`, `${one} user`];
  expect(await found("q=walrus")).toEqual(all);
  expect(await found(`q=walrus&session=${two}`)).toEqual(all.slice(0, 2));
  expect(await found("q=walrus&archived=false")).toEqual(all.slice(0, 2));
  expect(await found("q=walrus&archived=true")).toEqual(all.slice(2));
  const first = await v1.call("GET", "/v1/search?q=walrus&limit=3");
  expect(first.body.results).toHaveLength(3);
  const second = await v1.call("GET", `/v1/search?q=walrus&limit=3&cursor=${first.body.cursor}`);
  expect(second.body.results).toHaveLength(1);
  expect(second.body).not.toHaveProperty("cursor");
});

test("what is taken back, thought, run or said by a sub-agent is not found", async () => {
  const id = await v1.createSession({ options: { pace: 0 } });
  await say(id, "r1", "scenario:retry");
  await say(id, "r2", "scenario:subagent");
  const { body } = await v1.call("GET", `/v1/sessions/${id}/events?limit=1000`);
  type Said = { type: string; part?: string; delta?: string; parent?: string; parts?: string[] };
  const events = body.events as Said[];
  const discarded = events.flatMap(({ type, parts = [] }) => (type === "content.discarded" ? parts : []));
  expect(discarded).not.toEqual([]);
  const textOf = (isOf: (event: Said) => boolean) =>
    events.flatMap((event) => (event.type === "text.delta" && isOf(event) ? [event.delta!] : [])).join("");
  const own = textOf(({ part, parent }) => parent === undefined && !discarded.includes(part!));
  const others = textOf(({ part, parent }) => parent !== undefined || discarded.includes(part!));
  const words = (text: string) => new Set(text.toLowerCase().match(/[a-z]{4,}/g));
  const hidden = [...words(others)].filter((word) => !words(own).has(word));
  expect(hidden.length).toBeGreaterThan(0);
  for (const word of hidden)
    for (const one of await found(`session=${id}&q=${word}`)) expect(one).not.toBe(`${id} assistant`);
  expect(await found(`session=${id}&q=${[...words(own)][0]}`)).toContain(`${id} assistant`);
});

test("a rewound message is found no more", async () => {
  const id = await v1.createSession({ options: { pace: 0 } });
  await say(id, "gone", "scenario:echo ibis");
  expect(await found("q=ibis")).toHaveLength(2);
  await v1.call("POST", `/v1/sessions/${id}/rewind`, { body: { before: "gone" } });
  expect(await found("q=ibis")).toEqual([]);
});

test("says what is wrong with a request", async () => {
  for (const query of ["", "q=", "q=%20", "q=a&limit=101", "q=a&cursor=x", "q=a&archived=maybe", "q=a&by=x"])
    expect(refusal(await v1.call("GET", `/v1/search?${query}`))).toEqual([400, "invalid_request"]);
  expect(refusal(await v1.call("GET", "/v1/search?q=a&session=nobody"))).toEqual([404, "session_not_found"]);
});

async function untilAsked(session: string): Promise<string> {
  let ask: string | undefined;
  await until(async () => {
    const { body } = await v1.call("GET", `/v1/asks?session=${session}`);
    ask = body.asks[0]?.ask;
    return ask !== undefined;
  });
  return ask!;
}

test("a question is found while it waits, and after it is answered", async () => {
  const id = await v1.createSession({ options: { pace: 0 } });
  await v1.call("POST", `/v1/sessions/${id}/messages`, { body: { id: "u1", text: "scenario:question" } });
  const ask = await untilAsked(id);
  const { body } = await v1.call("GET", `/v1/search?q=which%20colour&session=${id}`);
  expect(body.results).toMatchObject([{ role: "assistant", message: expect.stringMatching(/^msg_/) }]);
  const marked = body.results[0].snippet.filter(({ match }: { match?: true }) => match);
  expect(marked.map(({ text }: { text: string }) => text)).toEqual(["Which", "colour", "Colour"]);
  await v1.call("POST", `/v1/sessions/${id}/asks/${ask}/reply`, { body: { answers: { q1: ["Pangolin"] } } });
  await until(async () => (await v1.call("GET", `/v1/sessions/${id}`)).body.status === "idle");
  expect(await found(`q=which%20colour%20pangolin&session=${id}`)).toEqual([`${id} assistant`]);
});

test("a plan is found while it waits and after its approval; what a permission says is not searched", async () => {
  const id = await v1.createSession({ options: { pace: 0 } });
  await v1.call("POST", `/v1/sessions/${id}/messages`, { body: { id: "u1", text: "scenario:plan" } });
  const ask = await untilAsked(id);
  const { body } = await v1.call("GET", `/v1/asks?session=${id}`);
  const [word] = body.asks[0].description.match(/[a-z]{7,}/);
  expect(await found(`q=${word}&session=${id}`)).toEqual([`${id} assistant`]);
  await v1.call("POST", `/v1/sessions/${id}/asks/${ask}/reply`, { body: { option: "approve" } });
  await until(async () => (await v1.call("GET", `/v1/sessions/${id}`)).body.status === "idle");
  expect(await found(`q=${word}&session=${id}`)).toEqual([`${id} assistant`]);
  const other = await v1.createSession({ options: { pace: 0 } });
  await v1.call("POST", `/v1/sessions/${other}/messages`, { body: { id: "u1", text: "scenario:approve" } });
  await untilAsked(other);
  expect(await found(`q=npm%20test&session=${other}`)).toEqual([]);
});
