/** What an agent offers can be chosen as it is shown, whatever its id: over a real server, with an agent of the test. */
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Draft } from "../../core/draft.ts";
import type { EventOf } from "../../core/event.ts";
import { SCRIPTED_CAPABILITIES, ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { until } from "../../testkit/until.ts";
import { type RealServer, startRealServer } from "../real-server-test-support.ts";

const LONG = "x".repeat(16 * 1024);
const adapter = new ScriptedAdapter({ ...SCRIPTED_CAPABILITIES, moreModes: true });
let server: RealServer;

beforeAll(async () => {
  server = await startRealServer({ limits: { requestBurst: 100_000 } }, { scripted: adapter });
});

afterAll(() => server.close());

/** A session whose agent has asked this. */
async function asking(session: string, draft: Omit<EventOf<"ask.opened">, "session" | "seq" | "at" | "ask">) {
  await server.call("POST", `/v1/sessions/${session}`, { body: { agent: "scripted" } });
  await server.call("POST", `/v1/sessions/${session}/messages`, { body: { text: "hi" } });
  await until(() => adapter.last?.sessionId === session && adapter.last.commands.length === 1);
  adapter.last.say({ ...draft, ask: "q" } as Draft);
  const asks = async () => (await server.call("GET", `/v1/asks?session=${session}`)).body.asks;
  await until(async () => (await asks()).length === 1);
  return (await asks())[0];
}

test.each([
  ["long", LONG],
  ["empty", ""],
])("an option with a %s id can be chosen", async (name, id) => {
  const options = [{ id, label: "Do it", effect: "once" as const }];
  const ask = await asking(name, { type: "ask.opened", kind: "permission", title: "?", options });
  expect(ask.options[0].id).toBe(id);
  const path = `/v1/sessions/${name}/permissions/${ask.ask}/reply`;
  expect(await server.call("POST", path, { body: { option: id } })).toMatchObject({ status: 200 });
  await until(() => adapter.last.commands.length === 2);
  expect(adapter.last.commands[1]).toMatchObject({ type: "reply", option: id });
});

test("a question called like something every object has can be answered", async () => {
  const questions = [{ id: "__proto__", text: "Which?" }];
  const ask = await asking("named", {
    type: "ask.opened",
    kind: "question",
    title: "?",
    options: [],
    questions,
  });
  const body = '{"answers":{"__proto__":["blue"]}}';
  const answer = await server.call("POST", `/v1/sessions/named/questions/${ask.ask}/reply`, { body });
  expect(answer.status).toBe(200);
  await until(() => adapter.last.commands.length === 2);
  expect(JSON.stringify(adapter.last.commands[1])).toContain('"answers":{"__proto__":["blue"]}');
  const { text } = await server.call("GET", "/v1/sessions/named/events?limit=1000");
  expect(text).toContain('"answers":{"__proto__":["blue"]}');
});

test("a model and a mode with long ids can be chosen, and are shown as they are", async () => {
  await server.call("POST", "/v1/sessions/settings", { body: { agent: "scripted" } });
  const change = { model: LONG, mode: LONG };
  const answer = await server.call("PATCH", "/v1/sessions/settings", { body: change });
  expect(answer).toMatchObject({ status: 200, body: change });
});
