/** A prompt part that tells what a person looks at. */
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { refusal, V1 } from "../v1-test-support.ts";

let v1: V1;

beforeAll(async () => {
  v1 = await V1.start();
});

afterAll(() => v1.server.close());

function send(session: string, ...parts: object[]) {
  return v1.call("POST", `/v1/sessions/${session}/messages`, { body: { parts } });
}

test("stands in log and message as it was given, reaches the agent, and is no part of a UIMessage", async () => {
  const id = await v1.createSession({ options: { pace: 0 } });
  const path = join(v1.server.root, "not-saved-yet.ts");
  const context = { type: "context", path, language: "ts", content: "let a = 1;\n", selection: "a = 1" };
  const text = { type: "text", text: "scenario:echo Look" };
  const stream = await v1.server.open(`/v1/sessions/${id}/messages/stream`, {
    method: "POST",
    body: { id: "m1", parts: [text, context] },
  });
  await stream.ended;
  expect((await v1.events(id)).find(({ type }) => type === "prompt.accepted")).toMatchObject({
    parts: [text, context],
  });
  const { body } = await v1.call("GET", `/v1/sessions/${id}/messages`);
  expect(body.messages[0].content).toEqual([text, context]);
  expect(JSON.stringify(body.messages[1].content)).toContain("let a = 1;");
  const shown = await v1.server.call("GET", `/api/chat/${id}/messages`);
  expect(shown.body.messages[0].parts).toEqual([text]);
});

test("is refused outside the roots, by a link as well, and where it is not whole", async () => {
  const id = await v1.createSession();
  const { root } = v1.server;
  mkdirSync(join(root, "inside"));
  symlinkSync("/etc", join(root, "inside", "link"));
  for (const path of ["/etc/passwd", join(root, "inside", "link", "passwd"), join(root, "..", "x")])
    expect(refusal(await send(id, { type: "context", path }))).toEqual([403, "outside_roots"]);
  const wrong = [
    { type: "context", path: "relative.ts" },
    { type: "context" },
    { type: "context", path: join(root, "a.ts"), selection: { start: 4, end: 2 } },
    { type: "context", path: join(root, "a.ts"), language: "two words" },
  ];
  for (const part of wrong) expect(refusal(await send(id, part))).toEqual([400, "invalid_request"]);
});
