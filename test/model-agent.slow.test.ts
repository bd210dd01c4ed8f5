/** The model agent in a daemon: it goes on from our own log after any restart, with its calls as calls. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { sessionUlid } from "../src/core/session-ulid.ts";
import { type AgentStreamEvent, createAgentService, Interlingua } from "../src/sdk/index.ts";
import { call, TOKEN } from "../src/server/http-client-test-support.ts";
import { hang, type ScriptedModel, text, toolCall } from "../src/testkit/scripted-model/index.ts";
import { type AgentSession, ofType } from "./agents/agent-session.ts";
import type { AgentWorld } from "./agents/agent-world.ts";
import { MODEL } from "./agents/model-table.ts";
import { SmithyClient, typesOf } from "./agentsmithy/smithy-client.ts";

const SCRIPTS = {
  work: [[toolCall("write_to_file", { path: "a.txt", content: "A\n" })], [text("Written. "), hang()]],
  run: [[toolCall("run_command", { command: "echo one" })], [text("Ran.")]],
  more: [text("And more.")],
  name: [[toolCall("ask_user", { question: "Whose?" })], [text("I see.")]],
  colour: [[toolCall("ask_user", { question: "Which?", options: [{ label: "Blue" }] })], [text("I see.")]],
};

const start = () => MODEL.world({ scripts: () => SCRIPTS });

interface Block {
  type: string;
  name?: string;
  content?: unknown;
}

/** What the model was given last. */
function blocks({ requests }: ScriptedModel): Block[] {
  const messages = requests.at(-1)!.body.messages as { content: Block[] }[];
  return messages.flatMap(({ content }) => content);
}

async function expectCallsAsCalls(world: AgentWorld, session: AgentSession): Promise<void> {
  expect((await session.run("Go on [[more]]")).ended.outcome).toBe("completed");
  const heard = blocks(world.model);
  expect(heard.map(({ type }) => type).slice(0, 3)).toEqual(["text", "tool_use", "tool_result"]);
  expect(heard[1]).toMatchObject({ name: "write_to_file", input: { path: "a.txt", content: "A\n" } });
  expect(JSON.stringify(heard[2]?.content)).toContain("write_file_result");
  expect(JSON.stringify(heard)).toContain("Written.");
  expect(JSON.stringify(heard)).not.toContain("Account of the conversation");
  expect(ofType(session.events, "session.attached").at(-1)?.resumed).toBe(true);
  expect(ofType(session.events, "notice").filter(({ code }) => code === "resume")).toEqual([]);
}

it.each(["name", "colour"])("takes words of one's own as the answer to its question: %s", async (script) => {
  await using world = await start();
  const session = await world.session();
  const { message } = await session.prompt(`Ask [[${script}]]`);
  const { ask, questions = [] } = await session.event("ask.opened");
  await session.answer(ask, { answers: { [questions[0]!.id]: ["Bob"] } });
  expect((await session.turnOf(message)).ended.outcome).toBe("completed");
  expect(JSON.stringify(blocks(world.model))).toContain("Bob");
});

it("goes on after kill -9 of its process, with calls and results as such", async () => {
  await using world = await start();
  const session = await world.session({ permissionMode: "acceptEdits" });
  const { message } = await session.prompt("Write it [[work]]");
  await session.event("text.delta");
  process.kill(await session.pid(), "SIGKILL");
  expect((await session.turnOf(message)).ended.outcome).toBe("failed");
  await expectCallsAsCalls(world, session);
});

it("goes on after kill -9 of the daemon, and nothing of it is left in the data directory", async () => {
  await using world = await start();
  const daemon = await world.startDaemonProcess();
  const session = await world.session({ permissionMode: "acceptEdits" });
  await session.prompt("Write it [[work]]");
  await session.event("text.delta");
  await daemon.kill("SIGKILL");
  await world.startDaemonProcess();
  await session.watch();
  await expectCallsAsCalls(world, session);
  expect(JSON.stringify(blocks(world.model))).toContain("interrupted by a restart");
  expect(JSON.stringify(blocks(world.model))).not.toContain("stopped by the user");
  await world.stopDaemon();
  expect(readdirSync(join(world.data, "agents/model"))).toEqual([]);
});

it("remembers what was allowed for good after a restart, and in a fork", async () => {
  await using world = await start();
  const session = await world.session();
  const { message } = await session.prompt("Run it [[run]]");
  const { ask, options } = await session.event("ask.opened");
  await session.answer(ask, { option: options.find(({ effect }) => effect === "always")!.id });
  await session.turnOf(message);
  await world.stopDaemon();
  await world.startDaemon();
  await session.watch();
  expect((await session.run("Again [[run]]")).text).toBe("Ran.");
  const { session: fork } = await world.fork(session, {});
  expect((await fork.run("Once more [[run]]")).text).toBe("Ran.");
  expect(ofType(session.events, "ask.opened")).toHaveLength(1);
});

it("forgets what was taken back while it does not run, without being started for it", async () => {
  await using world = await start();
  const session = await world.session(MODEL.sessions.trusted);
  await session.run("Apples [[more]]");
  const { message } = await session.prompt("Pears [[more]]");
  await session.turnOf(message);
  await world.stopDaemon();
  await world.startDaemon();
  await session.watch();
  const { body } = await session.call("POST", "/rewind", { before: message });
  expect(body).toMatchObject({ agentForgot: true });
  expect(ofType(session.events, "session.attached")).toHaveLength(1);
  await session.run("Plums [[more]]");
  expect(JSON.stringify(blocks(world.model))).toMatch(/Apples.*Plums/);
  expect(JSON.stringify(blocks(world.model))).not.toContain("Pears");
});

it("each prompt's check for a summary is a pair on AgentSmithy's wire, and nothing in a chat", async () => {
  await using world = await start();
  const session = await world.session(MODEL.sessions.trusted);
  const row = (await session.call("GET", "")).body;
  const client = new SmithyClient(`${world.url}/agentsmithy`, TOKEN);
  for (const prompt of ["Write [[run]]", "More [[more]]"]) {
    const { events } = await client.say(prompt, { dialog_id: sessionUlid(row.id, row.createdAt) });
    expect(typesOf(events).slice(0, 3)).toEqual(["user", "summary_start", "summary_end"]);
    expect(typesOf(events).filter((type) => type.startsWith("summary_"))).toHaveLength(2);
  }
  const { message } = await session.prompt("Again [[more]]");
  await session.turnOf(message);
  const chat = await session.chat(`/messages/${message}/stream`);
  expect(chat.text).toContain("And more.");
  expect(chat.text).not.toContain("data-compaction");
});

it("providers of the config file are used, with what they cost", async () => {
  await using world = await start();
  await world.stopDaemon();
  const { url } = world.model;
  const box = {
    url: `${url}/v1`,
    keyEnv: "BOX_KEY",
    models: ["big"],
    prices: { big: { input: 1, output: 2 } },
  };
  world.environment.BOX_KEY = "box-secret";
  await world.startDaemon({ providers: { box } });
  const session = await world.session({ model: "box/big" });
  const { ended } = await session.run("Hello [[more]]");
  expect(ended).toMatchObject({ outcome: "completed", model: "box/big", cost: (11 * 1 + 7 * 2) / 1e6 });
  expect(world.model.requests.at(-1)).toMatchObject({
    api: "openai-chat",
    model: "big",
    headers: { authorization: "Bearer box-secret" },
  });
  const { body } = await call(world.url, "GET", "/v1/agents/model");
  expect(body.status.models).toContainEqual({ id: "box/big" });
});

it("claude-code is another name of claude: the session says claude", async () => {
  await using world = await start();
  const body = { agent: "claude-code", cwd: world.project };
  expect((await call(world.url, "POST", "/v1/sessions/c1", { body })).body).toMatchObject({
    agent: "claude",
  });
  expect((await call(world.url, "POST", "/v1/sessions/c1", { body })).status).toBe(200);
  const { body: list } = await call(world.url, "GET", "/v1/sessions?agent=claude-code");
  expect(list.sessions).toMatchObject([{ id: "c1", agent: "claude" }]);
  expect((await call(world.url, "GET", "/v1/agents/claude-code")).body.name).toBe("claude");
  const { body: agents } = await call(world.url, "GET", "/v1/agents");
  const names = agents.agents.map(({ name }: { name: string }) => name);
  expect(names).toContain("claude");
  expect(names).not.toContain("claude-code");
});

it("chunks of a chat have the provider's own chunk and the model beside them", async () => {
  await using world = await MODEL.world({
    scripts: () => SCRIPTS,
    environment: { OPENAI_BASE_URL: "set below", OPENAI_API_KEY: "sk-scripted" },
  });
  world.environment.OPENAI_BASE_URL = world.model.url;
  const session = await world.session({ agent: "openai" });
  const { message } = await session.prompt("Hello [[more]]");
  await session.turnOf(message);
  const chat = await session.chat(`/messages/${message}/stream?include=raw`);
  const chunks = [...chat.text.matchAll(/^data: (\{.*)$/gm)].map(([, json]) => JSON.parse(json!));
  const delta = chunks.find(({ type }) => type === "text-delta");
  expect(delta.providerMetadata.openai).toMatchObject({
    original: { type: "response.output_text.delta", delta: "And more." },
    model: "openai/gpt-5.1",
  });
});

it.each([
  ["openai", "OPENAI", "openai/gpt-5.1"],
  ["anthropic-api", "ANTHROPIC", "anthropic/claude-sonnet-4-5"],
])('createAgentService("%s") is an agent, and says which key it needs', async (type, prefix, model) => {
  const script = { scripts: () => SCRIPTS };
  const key = `${prefix}_API_KEY`;
  const invoke = async ({ url, project }: AgentWorld) => {
    const client = await Interlingua.connect({ baseUrl: url, token: TOKEN });
    const events: AgentStreamEvent[] = [];
    for await (const event of createAgentService(type, { client }).invoke("Hello [[more]]", project))
      events.push(event);
    return events;
  };
  await using world = await MODEL.world({ ...script, environment: { [key]: "sk-scripted" } });
  world.environment[`${prefix}_BASE_URL`] = world.model.url;
  const events = await invoke(world);
  expect(events.at(-1)).toMatchObject({
    type: "complete",
    agentResult: { agentType: type, outcome: "completed", model },
  });
  expect(events).toContainEqual(
    expect.objectContaining({ chunk: expect.objectContaining({ type: "text-delta", delta: "And more." }) }),
  );
  delete world.environment[key];
  expect((await invoke(world)).at(-1)).toMatchObject({
    type: "error",
    error: { message: expect.stringContaining(key) },
  });
});
