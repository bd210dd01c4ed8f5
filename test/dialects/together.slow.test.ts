/** One live session, watched through every dialect at the same time, prompted and answered through each of them. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { SCENARIOS } from "../../src/agents/mock/program/scenarios/index.ts";
import { checkLog } from "../../src/core/check-log.ts";
import type { EventOf, SessionEvent } from "../../src/core/event.ts";
import { sessionUlid } from "../../src/core/session-ulid.ts";
import { type Daemon, startDaemon } from "../../src/daemon.ts";
import { expectTranscript } from "../../src/testkit/dialect-contract/index.ts";
import { until } from "../../src/testkit/until.ts";
import { SmithyClient } from "../agentsmithy/smithy-client.ts";
import { DaemonClient } from "../daemon-client.ts";
import { ANSWERERS } from "./answerers.ts";
import { EventFeed } from "./event-feed.ts";
import { createSmithyResponses, responseTo } from "./transcripts/agentsmithy.ts";
import { WATCHERS, type WatchedSession, type Watcher } from "./watchers/index.ts";

let folder: string;
let daemon: Daemon;
let owner: DaemonClient;
let session: WatchedSession;
let feed: EventFeed;
let watchers: Watcher[];

beforeEach(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "interlingua-together-")));
  const cwd = join(folder, "project");
  mkdirSync(cwd);
  daemon = await startDaemon({
    ...{ data: join(folder, "data"), port: 0, roots: [cwd] },
    ...{ agentsmithyPort: 0, agentsmithyWorkspace: cwd, agentsmithyKeepRunning: true },
  });
  owner = new DaemonClient(daemon);
  const about = { id: "together", agent: "mock", cwd, options: { pace: 0 } };
  const { createdAt } = await owner.call<{ createdAt: number }>("POST", "/v1/sessions", about);
  session = { id: about.id, cwd, createdAt };
  feed = new EventFeed(owner, about.id);
  responses.clear();
  watchers = WATCHERS.map((watch) => watch(owner, session));
});

afterEach(async () => {
  feed.close();
  await Promise.all(watchers.map((watcher) => watcher.close()));
  await daemon.close();
  rmSync(folder, { recursive: true, force: true });
});

/** The responses that AgentSmithy's client reads, by what it said. */
const responses = new Map<string, Promise<string>>();

/** Sends a prompt. Resolves when it is accepted. */
type Prompter = (text: string) => Promise<void>;

const PROMPTERS: Readonly<Record<string, Prompter>> = {
  async v1(text) {
    await owner.prompt(session.id, text);
  },
  async chat(text) {
    const message = {
      id: `chat-${text.replaceAll(/\W/g, "-")}`,
      role: "user",
      parts: [{ type: "text", text }],
    };
    // It leaves: others watch.
    const leaving = new AbortController();
    await owner.request("POST", "/api/chat", { id: session.id, message }, leaving.signal);
    leaving.abort();
  },
  async agentsmithy(text) {
    const client = new SmithyClient(`http://127.0.0.1:${daemon.ports[0]!.port}`);
    const dialog_id = sessionUlid(session.id, session.createdAt);
    const response = await client.post({ dialog_id, messages: [{ role: "user", content: text }] });
    expect(response.status).toBe(200);
    responses.set(text, response.text());
  },
};

/** Allows everything, each time through another dialect. */
async function answer(ask: EventOf<"ask.opened">, turn: number): Promise<void> {
  if (ask.kind === "plan") {
    await owner.call("POST", `/v1/sessions/${session.id}/asks/${ask.ask}/reply`, { option: "approve" });
    return;
  }
  const answerers = ANSWERERS[ask.kind];
  const [, prepare] = answerers[turn % answerers.length]!;
  const give = await prepare({ name: "owner", client: owner }, ask, true);
  expect(await give()).toBeUndefined();
}

async function log(): Promise<SessionEvent[]> {
  return (await owner.events(session.id)).map((line) => JSON.parse(line) as SessionEvent);
}

/** Answers what is asked until the turn has ended. */
async function play(text: string, place: number, prompter: Prompter): Promise<void> {
  const ended = feed.next("turn.ended");
  await prompter(text);
  let isOver = false;
  void ended.then(() => (isOver = true));
  const answered = new Set<string>();
  await until(async () => {
    for (const ask of feed.take("ask.opened")) {
      if (!answered.has(ask.ask)) await answer(ask, place);
      answered.add(ask.ask);
    }
    return isOver;
  });
}

/** The session is quiet, all of its log was read by everybody, and each understood it. */
async function expectUnderstood(): Promise<SessionEvent[]> {
  await until(
    async () => (await owner.call<{ status: string }>("GET", `/v1/sessions/${session.id}`)).status === "idle",
  );
  const events = await log();
  expect(checkLog(events)).toEqual([]);
  for (const watcher of watchers) await watcher.finish(events);
  for (const [text, body] of responses) await expectResponse(text, await body, events);
  return events;
}

async function expectResponse(text: string, body: string, events: readonly SessionEvent[]): Promise<void> {
  const prompt = events.find(
    (event) =>
      event.type === "prompt.accepted" &&
      event.parts.some((part) => part.type === "text" && part.text === text),
  );
  const shown = body.split("\n\n").flatMap((frame) => (frame === "" ? [] : [{ text: `${frame}\n\n` }]));
  for (const story of responseTo(prompt as EventOf<"prompt.accepted">, events, session.cwd))
    await expectTranscript(createSmithyResponses(session.cwd), { ...story, shown });
}

/** Those that end by themselves. Its usual 20 MB are about size alone. */
const PLAYED = SCENARIOS.map(({ name }) => name)
  .filter((name) => !name.startsWith("hang"))
  .map((name) => (name === "huge" ? "huge:1" : name));

it("every scenario of the mock", async () => {
  const prompters = Object.values(PROMPTERS);
  for (const [place, name] of PLAYED.entries())
    await play(`scenario:${name}`, place, prompters[place % prompters.length]!);
  const events = await expectUnderstood();
  expect(events.filter(({ type }) => type === "turn.ended").length).toBeGreaterThanOrEqual(PLAYED.length);
  expect(events.filter(({ type }) => type === "ask.answered").length).toBeGreaterThanOrEqual(5);
}, 120_000);

it("prompts that wait, are changed and taken back, steer, and are rewound", async () => {
  const path = `/v1/sessions/${session.id}`;
  await play("scenario:text", 0, PROMPTERS.agentsmithy!);
  const { message: taken } = await owner.prompt(session.id, "scenario:rich");
  await feed.next("turn.ended");
  await play("scenario:question", 1, PROMPTERS.chat!);

  // While it asks nothing goes on by itself.
  await PROMPTERS.chat!("scenario:approve");
  const ask = await feed.next("ask.opened");
  const waiting = await owner.prompt(session.id, "scenario:echo first");
  const gone = await owner.prompt(session.id, "scenario:echo never");
  await PROMPTERS.chat!("scenario:echo from another wire");
  await owner.call("PATCH", `${path}/queue/${waiting.message}`, { text: "scenario:echo changed" });
  await owner.request("DELETE", `${path}/queue/${gone.message}`);
  const steered = { text: "scenario:subagent", whenBusy: "steer" };
  await owner.call("POST", `${path}/messages`, steered);
  await answer(ask, 0);
  for (let turns = 0; turns < 3; turns += 1) await feed.next("turn.ended");

  await owner.call("POST", `${path}/rewind`, { before: taken });
  await play("scenario:approve-two", 1, PROMPTERS.v1!);
  await play("scenario:background", 2, PROMPTERS.agentsmithy!);
  await feed.next("task.ended");
  await feed.next("turn.ended");
  const events = await expectUnderstood();
  for (const type of ["prompt.changed", "prompt.withdrawn", "conversation.rewound", "task.ended"])
    expect(events.map((event) => event.type)).toContain(type);
  expect(events.some((event) => event.type === "prompt.dispatched" && event.steered)).toBe(true);
}, 60_000);

it("a turn that is stopped, an agent that dies, and one that comes back", async () => {
  const path = `/v1/sessions/${session.id}`;
  await PROMPTERS.v1!("scenario:hang");
  await until(async () => (await log()).some(({ type }) => type === "text.delta"));
  await owner.call("POST", `${path}/interrupt`, {});
  await feed.next("turn.ended");
  await play("scenario:crash", 0, PROMPTERS.agentsmithy!);
  await play("scenario:recall", 0, PROMPTERS.chat!);
  await PROMPTERS.agentsmithy!("scenario:approve");
  const ask = await feed.next("ask.opened");
  await owner.call("POST", `${path}/asks/${ask.ask}/reply`, { reply: "reject", message: "not now" });
  await feed.next("turn.ended");
  const events = await expectUnderstood();
  const outcomes = events.flatMap((event) => (event.type === "turn.ended" ? [event.outcome] : []));
  expect(outcomes).toEqual(["interrupted", "failed", "completed", "completed"]);
}, 60_000);
