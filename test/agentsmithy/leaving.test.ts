/** Clients that leave: on this wire that stops their turn, since it has no other way to. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Daemon, type DaemonOptions, startDaemon } from "../../src/daemon.ts";
import { until } from "../../src/testkit/until.ts";
import { DaemonProcess } from "../crash/daemon-process.ts";
import { framesOf, OwnerView, SmithyClient, SmithyProject, textOf } from "./smithy-client.ts";

let project: SmithyProject;
let daemon: Daemon;
let client: SmithyClient;
let owner: OwnerView;

async function start(options: Partial<DaemonOptions> = {}): Promise<void> {
  daemon = await startDaemon({ port: 0, data: project.data, roots: [project.root], ...options });
  client = new SmithyClient(`${daemon.url}/agentsmithy`, daemon.token);
  owner = new OwnerView(daemon);
}

beforeEach(async () => {
  project = new SmithyProject();
  await start();
});

afterEach(async () => {
  await daemon.close();
  project[Symbol.dispose]();
});

/** Posts, reads until the text is there, and leaves the response open. */
async function postUntil(from: SmithyClient, content: string, wanted: string) {
  const leaving = new AbortController();
  const response = await from.post({ messages: [{ role: "user", content }] }, leaving.signal);
  const reader = response.body!.getReader();
  const decoder = new TextDecoder();
  let text = "";
  while (!text.includes(wanted)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += decoder.decode(value, { stream: true });
  }
  return { text, leave: () => leaving.abort() };
}

test("a client that leaves before done stops its turn", async () => {
  const { leave } = await postUntil(client, "scenario:hang", '"type":"user"');
  leave();
  await until(async () => (await owner.log()).some(({ type }) => type === "turn.ended"));
  const events = await owner.log();
  expect(events.find(({ type }) => type === "turn.ended")).toMatchObject({ outcome: "interrupted" });
  expect(events.find(({ type }) => type === "turn.stopping")).toBeDefined();
});

test("a client that leaves without a stream stops its turn, too", async () => {
  const leaving = new AbortController();
  const body = { messages: [{ role: "user", content: "scenario:hang" }], stream: false };
  const answer = client.post(body, leaving.signal);
  await until(async () => (await owner.log()).some(({ type }) => type === "turn.started"));
  leaving.abort();
  await expect(answer).rejects.toThrow();
  await until(async () => (await owner.log()).some(({ type }) => type === "turn.ended"));
});

test("a client that leaves while its message waits takes it back, and the turn of the other goes on", async () => {
  const first = await postUntil(client, "scenario:hang", '"type":"user"');
  const leaving = new AbortController();
  const waiting = client.post({ messages: [{ role: "user", content: "scenario:text" }] }, leaving.signal);
  await waiting;
  leaving.abort();
  await until(async () => (await owner.log()).some(({ type }) => type === "prompt.withdrawn"));
  expect(await owner.session()).toMatchObject({ status: "running", queued: 0 });
  first.leave();
  await until(async () => (await owner.log()).some(({ type }) => type === "turn.ended"));
});

test("a client that leaves after done stops nothing", async () => {
  const { text, leave } = await postUntil(client, "scenario:approve", '"done":true');
  leave();
  expect(framesOf(text).at(-1)).toMatchObject({ type: "done" });
  expect(await owner.session()).toMatchObject({ status: "waiting" });
  expect((await owner.log()).some(({ type }) => type === "turn.stopping")).toBe(false);
});

test("where turns are kept running, one goes on without its client, who catches up in the history", async () => {
  await daemon.close();
  await start({ agentsmithyKeepRunning: true });
  const { text, leave } = await postUntil(client, "scenario:long", '"type":"chat"');
  leave();
  await until(async () => (await owner.log()).some(({ type }) => type === "turn.ended"));
  expect((await owner.log()).find(({ type }) => type === "turn.ended")).toMatchObject({
    outcome: "completed",
  });
  const { id } = (await client.call("GET", "/api/dialogs/current")).body;
  const { events } = (await client.call("GET", `/api/dialogs/${id}/history`)).body;
  const seen = textOf(framesOf(text.slice(0, text.lastIndexOf("\n\n") + 2)));
  expect(textOf(events).startsWith(seen)).toBe(true);
  expect(textOf(events).length).toBeGreaterThanOrEqual(seen.length);
});

test("the history has the turn that runs", async () => {
  const { leave } = await postUntil(client, "scenario:hang", '"type":"chat"');
  const { id } = (await client.call("GET", "/api/dialogs/current")).body;
  const { events } = (await client.call("GET", `/api/dialogs/${id}/history`)).body;
  expect(events).toMatchObject([
    { type: "user", content: "scenario:hang" },
    { type: "chat", content: expect.stringMatching(/./) },
  ]);
  expect((await owner.session()).status).toBe("running");
  leave();
  await until(async () => (await owner.log()).some(({ type }) => type === "turn.ended"));
});

test("two clients of one dialog: each gets its own answer", async () => {
  const other = new SmithyClient(`${daemon.url}/agentsmithy`, daemon.token);
  await client.say("scenario:text");
  const [one, two] = await Promise.all([client.say("scenario:echo one"), other.say("scenario:echo two")]);
  expect(textOf(one.events)).toContain("one");
  expect(textOf(one.events)).not.toContain("two");
  expect(textOf(two.events)).toContain("two");
  expect(one.events[0]).toMatchObject({ type: "user", content: "scenario:echo one" });
});

test("a daemon that is shut down ends the response with an error and done", async () => {
  const leaving = new AbortController();
  const response = await client.post(
    { messages: [{ role: "user", content: "scenario:hang" }] },
    leaving.signal,
  );
  const text = response.text();
  await until(async () => (await owner.log()).some(({ type }) => type === "turn.started"));
  await daemon.close();
  expect(framesOf(await text).slice(-2)).toMatchObject([{ type: "error" }, { type: "done", done: true }]);
});

test("after kill -9 in the middle of a response the history has what was said, and the dialog goes on", async () => {
  using killed = new SmithyProject();
  const first = await DaemonProcess.start(killed.data, { root: killed.root });
  const cut = new SmithyClient(`${first.url}/agentsmithy`, first.token);
  const { text } = await postUntil(cut, "scenario:long", '"type":"chat"');
  await first.kill();
  const second = await DaemonProcess.start(killed.data, { root: killed.root });
  try {
    const again = new SmithyClient(`${second.url}/agentsmithy`, second.token);
    const { id } = (await again.call("GET", "/api/dialogs/current")).body;
    const { events } = (await again.call("GET", `/api/dialogs/${id}/history`)).body;
    expect(events[0]).toMatchObject({ type: "user", content: "scenario:long" });
    expect(textOf(events).startsWith(textOf(framesOf(text.slice(0, text.lastIndexOf("\n\n") + 2))))).toBe(
      true,
    );
    expect((await again.say("scenario:text")).events.at(-1)).toMatchObject({ type: "done" });
  } finally {
    await second.kill("SIGTERM");
  }
});
