import { afterAll, beforeAll, expect, test } from "vitest";
import { refusal, seen, V1 } from "../v1-test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await V1.start();
});

afterAll(() => v1.server.close());

test("a permission: the first answer wins", async () => {
  const session = await v1.createSession();
  const { ask: id } = await v1.ask(session, "approve");
  const open = await v1.call("GET", `/v1/asks?session=${session}`);
  expect(open.body.asks).toMatchObject([{ session, ask: id, state: "open", kind: "permission" }]);
  const path = `/v1/sessions/${session}/permissions/${id}/reply`;
  const wrong = await v1.call("POST", `/v1/sessions/${session}/questions/${id}/reply`, {
    body: { answers: {} },
  });
  expect(refusal(wrong)).toEqual([404, "ask_not_found"]);
  const none = await v1.call("POST", path, { body: { option: "nonsense" } });
  expect(refusal(none)).toEqual([422, "option_not_offered"]);
  const answered = await v1.call("POST", path, { body: { reply: "once" } });
  expect(answered.body).toMatchObject({ ask: id, answer: { by: "owner" } });
  expect((await v1.call("POST", path, { body: { reply: "once" } })).status).toBe(200);
  const other = await v1.call("POST", path, { body: { reply: "reject" } });
  expect(refusal(other)).toEqual([409, "ask_answered"]);
  expect(other.body.answer).toBeDefined();
  expect((await v1.call("GET", `/v1/asks?session=${session}`)).body.asks).toEqual([]);
});

test("a question is answered or declined", async () => {
  const session = await v1.createSession();
  const { ask: first } = await v1.ask(session, "question");
  const path = `/v1/sessions/${session}/questions/${first}`;
  const permission = await v1.call("POST", `/v1/sessions/${session}/permissions/${first}/reply`, {
    body: { reply: "once" },
  });
  expect(refusal(permission)).toEqual([404, "ask_not_found"]);
  const answered = await v1.call("POST", `${path}/reply`, { body: { answers: { q1: ["my own"] } } });
  expect(answered.body.answer.answers).toEqual({ q1: ["my own"] });
  const second = await v1.createSession();
  const { ask: declined } = await v1.ask(second, "question");
  const rejected = await v1.call("POST", `/v1/sessions/${second}/questions/${declined}/reject`);
  expect(rejected.status).toBe(200);
  const tail = await v1.server.open(`/v1/sessions/${second}/events/sse`);
  await tail.until("the end", seen("turn.ended"));
});

test.each([
  ["answers by the id of an option", "reply", { answers: { plan: ["approve"] } }, "approve"],
  ["answers by its label", "reply", { answers: { plan: ["Approve the plan"] }, message: "go" }, "approve"],
  ["an option", "reply", { option: "approve" }, "approve"],
  ["a reply", "reply", { reply: "reject" }, "reject"],
  ["a rejection", "reject", {}, "reject"],
])("a plan is a question too: it takes %s", async (_, act, body, option) => {
  const session = await v1.createSession();
  const { ask, stream } = await v1.ask(session, "plan");
  const path = `/v1/sessions/${session}/questions/${ask}`;
  const wrong = await v1.call("POST", `${path}/reply`, { body: { answers: { plan: ["maybe"] } } });
  expect(refusal(wrong)).toEqual([422, "option_not_offered"]);
  expect(wrong.body.detail).toContain('"approve"');
  const answered = await v1.call("POST", `${path}/${act}`, { body });
  expect(answered.body).toMatchObject({ kind: "plan", answer: { option } });
  // A decision by the other route counts as an equal answer.
  const { message } = answered.body.answer;
  const again = await v1.call("POST", `/v1/sessions/${session}/permissions/${ask}/reply`, {
    body: { option, message },
  });
  expect(again.status).toBe(200);
  await stream.ended;
});

test("one that was cancelled is 409", async () => {
  const session = await v1.createSession();
  const { ask: id } = await v1.ask(session, "approve");
  await v1.call("POST", `/v1/sessions/${session}/interrupt`);
  const tail = await v1.server.open(`/v1/sessions/${session}/events/sse`);
  await tail.until("the end", seen("turn.ended"));
  const late = await v1.call("POST", `/v1/sessions/${session}/asks/${id}/reply`, { body: { reply: "once" } });
  expect(refusal(late)).toEqual([409, "ask_closed"]);
});

test("an input is changed before it is allowed, where the ask takes that", async () => {
  const session = await v1.createSession();
  const { ask } = await v1.ask(session, "approve");
  const open = await v1.call("GET", `/v1/asks?session=${session}`);
  expect(open.body.asks).toMatchObject([{ ask, editable: true }]);
  const path = `/v1/sessions/${session}/asks/${ask}/reply`;
  const noObject = await v1.call("POST", path, { body: { reply: "once", input: "npm run lint" } });
  expect(refusal(noObject)).toEqual([400, "invalid_request"]);
  expect(noObject.body.errors).toMatchObject([{ path: "input" }]);
  const tooLarge = await v1.call("POST", path, {
    body: { reply: "once", input: { command: "x".repeat(1_100_000) } },
  });
  expect(tooLarge.body.errors).toMatchObject([
    { path: "input", message: expect.stringContaining("1024 kB") },
  ]);
  const input = { command: "npm run lint" };
  const answered = await v1.call("POST", path, { body: { reply: "once", input } });
  expect(answered.body).toMatchObject({ answer: { input, by: "owner" } });
  const tail = await v1.server.open(`/v1/sessions/${session}/events/sse`);
  await tail.until("the end", seen("turn.ended"));
  const { body } = await v1.call("GET", `/v1/sessions/${session}/messages`);
  const content = body.messages.flatMap((message: { content: object[] }) => message.content);
  expect(content).toContainEqual(
    expect.objectContaining({
      type: "tool_call",
      input,
      edited: { by: "owner", proposed: { command: "npm test" } },
    }),
  );
  // The agent ran it.
  expect(content).toContainEqual(
    expect.objectContaining({ type: "tool_result", output: expect.objectContaining(input) }),
  );
  const plan = await v1.createSession();
  const { ask: other } = await v1.ask(plan, "plan");
  const refused = await v1.call("POST", `/v1/sessions/${plan}/asks/${other}/reply`, {
    body: { reply: "once", input },
  });
  expect(refusal(refused)).toEqual([422, "option_not_offered"]);
  expect(refused.body.errors).toMatchObject([{ path: "input" }]);
});
