/** Settings of an agent over HTTP, with the mock as a real process. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { until } from "../../testkit/until.ts";
import { refusal, V1 } from "../v1-test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await V1.start();
});

afterAll(() => v1.server.close());

async function view(id: string) {
  return (await v1.call("GET", `/v1/sessions/${id}`)).body;
}

test("are chosen with the session and shown before its agent has ever run", async () => {
  const id = await v1.createSession({ settings: { effort: "high" } });
  expect((await view(id)).settings).toEqual([{ id: "effort", name: "effort", value: "high" }]);
  await v1.run(id, "scenario:echo hello");
  expect((await view(id)).settings).toMatchObject([
    {
      id: "effort",
      name: "Effort",
      value: "high",
      choices: [{ id: "low" }, { id: "medium" }, { id: "high" }],
    },
  ]);
});

test("of a prompt hold for its turn, in the stream as well", async () => {
  const id = await v1.createSession();
  await v1.run(id, "scenario:echo one", { settings: { effort: "low" } });
  await until(async () => (await view(id)).settings[0].value === "medium");
  const { body } = await v1.call("GET", `/v1/sessions/${id}/events?limit=1000`);
  const told = body.events.flatMap((event: { type: string; settings?: { value: string }[] }) => {
    if (event.type === "turn.started" || event.type === "turn.ended") return [event.type];
    return event.type.startsWith("session.") && event.settings ? [event.settings[0]?.value] : [];
  });
  expect(told).toEqual(["medium", "low", "turn.started", "turn.ended", "medium"]);
});

test("that are changed are in force for the next prompt, and null leaves them to the agent", async () => {
  const id = await v1.createSession();
  await v1.run(id, "scenario:echo one");
  const changed = await v1.call("PATCH", `/v1/sessions/${id}`, { body: { settings: { effort: "high" } } });
  expect(changed.body.settings).toMatchObject([{ id: "effort", value: "high" }]);
  const released = await v1.call("PATCH", `/v1/sessions/${id}`, { body: { settings: { effort: null } } });
  expect(released.body.settings).toMatchObject([{ id: "effort", value: "high" }]);
});

test("that are empty are none: the prompt may be repeated without them", async () => {
  const id = await v1.createSession();
  const body = { id: "m", text: "scenario:echo one" };
  const first = await v1.call("POST", `/v1/sessions/${id}/messages`, { body: { ...body, settings: {} } });
  const again = await v1.call("POST", `/v1/sessions/${id}/messages`, { body });
  expect(again.body).toEqual(first.body);
});

test.each([
  [{ volume: "11" }, "effort"],
  [{ effort: "enormous" }, "low, medium, high"],
  [{ effort: true }, "low, medium, high"],
])("%j is refused wherever it is sent, with what there is", async (settings, there) => {
  const id = await v1.createSession();
  const answers = [
    await v1.call("POST", "/v1/sessions", { body: { agent: "mock", settings } }),
    await v1.call("PATCH", `/v1/sessions/${id}`, { body: { settings } }),
    await v1.call("POST", `/v1/sessions/${id}/messages`, { body: { text: "echo", settings } }),
    await v1.call("POST", `/v1/sessions/${id}/messages/stream`, { body: { text: "echo", settings } }),
  ];
  for (const answer of answers) {
    expect(refusal(answer)).toEqual([422, "option_not_offered"]);
    expect(answer.body.detail).toContain(there);
    expect(answer.body.errors).toMatchObject([{ path: `settings.${Object.keys(settings)[0]}` }]);
  }
});
