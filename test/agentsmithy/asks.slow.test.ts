/** Asks, which this wire cannot say: they end the response, and questions are answered by the next message. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { expectGrammar } from "../../src/dialects/agentsmithy/expect-grammar.test-support.ts";
import { until } from "../../src/testkit/until.ts";
import {
  framesOf,
  OwnerView,
  type Posted,
  SmithyClient,
  SmithyProject,
  textOf,
  typesOf,
} from "./smithy-client.ts";

let project: SmithyProject;
let daemon: Daemon;
let client: SmithyClient;
let owner: OwnerView;

beforeEach(async () => {
  project = new SmithyProject();
  daemon = await startDaemon({ port: 0, data: project.data, roots: [project.root], checkpoints: "on" });
  client = new SmithyClient(`${daemon.url}/agentsmithy`, daemon.token);
  owner = new OwnerView(daemon);
});

afterEach(async () => {
  await daemon.close();
  project[Symbol.dispose]();
});

/** The response of every message is well formed. */
async function say(content: string): Promise<Posted> {
  const posted = await client.say(content);
  expectGrammar(posted.text.split(/(?<=\n\n)/).map((text) => ({ text })));
  return posted;
}

function users(events: readonly { type: string }[]): unknown[] {
  return events.filter(({ type }) => type === "user");
}

test("a permission ends the response with the options and the page, and a message meanwhile waits and is told so", async () => {
  const asked = await say("scenario:approve");
  expect(typesOf(asked.events).slice(-5)).toEqual(["tool_call", "chat_start", "chat", "chat_end", "done"]);
  const text = textOf(asked.events.slice(-3));
  expect(text).toContain("- Allow");
  expect(text).toContain("Deny");
  expect(text).toContain(`${daemon.url}/#/sessions/ses_`);
  expect(text).not.toContain(daemon.token);

  for (const word of ["yes", "1", "Allow"]) {
    const waiting = await say(word);
    expect(typesOf(waiting.events)).toEqual(["user", "chat_start", "chat", "chat_end", "done"]);
    expect(waiting.events[0]).toMatchObject({ content: word });
    expect(waiting.events[0]).not.toHaveProperty("checkpoint");
    expect(textOf(waiting.events)).toContain("Your message waits until this is answered");
  }
  expect(await owner.asks()).toHaveLength(1);

  await owner.reply("allow");
  // The first of those that waited is next.
  const prompts = async () =>
    (await owner.log()).filter((event) => event.type === "prompt.dispatched").length;
  await until(async () => (await prompts()) === 2);
});

test.each([
  ["2", "Green"],
  ["blue", "Blue"],
  ["Green", "Green"],
])("a question is answered by the next message: %s", async (word, chosen) => {
  const asked = await say("scenario:question");
  expect(textOf(asked.events)).toContain("1. Blue: As on every other page\n2. Green");
  const rest = await say(word);
  // In the words of the option, as the history has it.
  expect(rest.events[0]).toMatchObject({ type: "user", content: chosen });
  expect(textOf(rest.events)).toBe(`You chose: ${chosen}.`);
  const { id } = (await client.call("GET", "/api/dialogs/current")).body;
  const { events } = (await client.call("GET", `/api/dialogs/${id}/history`)).body;
  // Nothing was done between the prompt and the answer: the same files are the way back.
  const { checkpoint } = asked.events[0]!;
  expect(checkpoint).toMatch(/^[0-9a-f]{40}$/);
  expect(rest.events[0]).toMatchObject({ checkpoint });
  expect(users(events)).toMatchObject([{ checkpoint }, { checkpoint }]);
  expect(
    events.map(({ type, content }: { type: string; content: string }) => [type, content.split("\n")[0]]),
  ).toEqual([
    ["user", "scenario:question"],
    ["chat", "One thing before I begin."],
    ["chat", "Which colour should the button have?"],
    ["user", chosen],
    ["chat", `You chose: ${chosen}.`],
  ]);
});

test("what is no answer to the question is queued as a prompt, and runs after it", async () => {
  await say("scenario:question");
  const waiting = await say("3");
  expect(textOf(waiting.events)).toContain("Your message waits until this is answered");
  expect(textOf((await say("1")).events)).toBe("You chose: Blue.");
  await until(async () => (await owner.session()).queued === 0);
  const { id } = (await client.call("GET", "/api/dialogs/current")).body;
  const { events } = (await client.call("GET", `/api/dialogs/${id}/history`)).body;
  const users = events.filter(({ type }: { type: string }) => type === "user");
  expect(users.map(({ content }: { content: string }) => content)).toEqual([
    "scenario:question",
    "Blue",
    "3",
  ]);
});

test("a plan is approved by yes", async () => {
  const asked = await say("scenario:plan");
  expect(asked.events.at(-1)).toMatchObject({ type: "done" });
  const approved = await say("yes");
  expect(textOf(approved.events)).toContain("The plan is approved");
  const { id } = (await client.call("GET", "/api/dialogs/current")).body;
  const { events } = (await client.call("GET", `/api/dialogs/${id}/history`)).body;
  const users = events.filter(({ type }: { type: string }) => type === "user");
  expect(users.map(({ content }: { content: string }) => content)).toEqual([
    "scenario:plan",
    approved.events[0]!.content,
  ]);
});

test("a message that waits behind a permission is in the history, and counted", async () => {
  await say("scenario:approve");
  for (const word of ["first", "second"]) await say(word);
  const { id } = (await client.call("GET", "/api/dialogs/current")).body;
  const history = (await client.call("GET", `/api/dialogs/${id}/history`)).body;
  const last = history.events.slice(-2);
  expect(last).toMatchObject([
    { type: "user", content: "first" },
    { type: "user", content: "second" },
  ]);
  expect(history.total_events).toBe(history.events.length);
  expect(history.last_idx).toBe(last[1].idx);
  const older = (await client.call("GET", `/api/dialogs/${id}/history?limit=1&before=${last[1].idx}`)).body;
  expect(older.events).toEqual([last[0]]);
  expect(older).toMatchObject({ has_more: true, first_idx: last[0].idx });
});

test("an assistant's message without content, and a current file without a path, are no reason to refuse", async () => {
  const response = await client.post({
    messages: [
      { role: "assistant", content: null },
      { role: "user", content: "scenario:text" },
    ],
    context: { current_file: { content: "x" } },
  });
  expect(framesOf(await response.text()).at(-1)).toMatchObject({ type: "done" });
});

test("without a stream a long answer is not cut where its frames would be, and an echo of the prompt is not counted", async () => {
  const prompt = `scenario:text ${"x".repeat(9 * 1024 * 1024)}`;
  const answer = await client.call("POST", "/api/chat", {
    messages: [{ role: "user", content: prompt }],
    stream: false,
  });
  expect(answer.body).toMatchObject({ content: expect.stringContaining("mock"), done: true });
  expect(answer.body.metadata).not.toHaveProperty("error");
});

test("two asks of one step: the answer to one does not hide the other", async () => {
  const asked = await say("scenario:approve-two");
  expect(asked.events.at(-1)).toMatchObject({ type: "done" });
  await until(async () => (await owner.asks()).length === 2);
  const waiting = await say("hello");
  expect(textOf(waiting.events).match(/waits until this is answered/g)).toHaveLength(2);
});

test("an ask that opens while a message waits ends its response, too", async () => {
  const first = client.post({ messages: [{ role: "user", content: "scenario:approve" }] });
  await first;
  const [asked, waited] = await Promise.all([
    first.then((response) => response.text()),
    say("scenario:text"),
  ]);
  expect(asked).toContain('"done":true');
  expect(textOf(waited.events)).toContain("Your message waits until this is answered");
});

test("without a stream the answer is one object", async () => {
  const response = await client.call("POST", "/api/chat", {
    messages: [{ role: "user", content: "scenario:text" }],
    stream: false,
  });
  expect(response.body).toEqual({
    content: expect.stringContaining("mock"),
    done: true,
    metadata: { dialog_id: expect.any(String), checkpoint: expect.stringMatching(/^[0-9a-f]{40}$/) },
  });
  const failed = await client.call("POST", "/api/chat", {
    messages: [{ role: "user", content: "scenario:error" }],
    stream: false,
  });
  expect(failed).toMatchObject({
    status: 200,
    body: { done: true, metadata: { error: expect.any(String) } },
  });
});

test("what the person looks at reaches the agent and is not echoed", async () => {
  const context = {
    current_file: {
      path: "src/example.py",
      language: "python",
      content: "def old(): pass",
      selection: "old",
    },
  };
  const { events } = await client.say("scenario:echo", { context });
  expect(events[0]).toMatchObject({ type: "user", content: "scenario:echo" });
  const accepted = (await owner.log()).find(({ type }) => type === "prompt.accepted");
  expect(accepted).toMatchObject({
    parts: [
      {
        type: "context",
        path: `${project.root}/src/example.py`,
        language: "python",
        content: "def old(): pass",
        selection: "old",
      },
      { type: "text", text: "scenario:echo" },
    ],
  });
  // A file of another project is no reason to refuse what the person says.
  const outside = { current_file: { path: "/etc/passwd", content: "root" } };
  expect((await client.say("scenario:text", { context: outside })).events.at(-1)).toMatchObject({
    type: "done",
  });
});

test("requests that make no sense are refused with a detail", async () => {
  for (const body of [
    { messages: [] },
    { messages: [{ role: "assistant", content: "x" }] },
    { messages: "x" },
    {},
    { messages: [{ role: "user", content: " " }] },
  ]) {
    const refused = await client.call("POST", "/api/chat", body);
    expect(refused).toMatchObject({ status: 400, body: { detail: expect.any(String) } });
  }
  const unknown = await client.call("POST", "/api/chat", {
    messages: [{ role: "user", content: "x" }],
    dialog_id: "01J",
  });
  expect(unknown).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
  expect((await client.call("GET", "/api/dialogs")).body).toEqual({ dialogs: [] });
});
