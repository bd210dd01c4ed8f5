/** Secrets through the engine: in no record, and whole where the agent gets them. */

import { describe, expect, it } from "vitest";
import type { ConnectOptions } from "../../core/adapter.ts";
import type { Draft } from "../../core/draft.ts";
import { InterlinguaError } from "../../core/error.ts";
import { principal } from "../../core/principal.ts";
import type { Store } from "../../core/store.ts";
import { openStore } from "../../store/open-store.ts";
import { ScriptedAdapter, ScriptedSession } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, running, text } from "../engine.test-support.ts";
import { openProject } from "../files/project.test-support.ts";
import type { EngineLimits } from "../limits.ts";

describe("secrets", () => {
  it("are masked wherever they appear, whole or in pieces, and asked for again after a restart", async () => {
    const secret = 'sk-"very"-secret-value';
    const { engine, adapter, store, has } = await open();
    await engine.run("createSession", { id: "s", agent: "scripted", cwd: "/", env: { KEY: secret } }, TESTER);
    await engine.run(
      "prompt",
      { session: "s", parts: text(`my key is ${secret}`), whenBusy: "queue" },
      TESTER,
    );
    await until(() => adapter.last?.commands.length === 1);
    expect(adapter.last.options.environment).toEqual({ KEY: secret });
    expect(adapter.last.commands[0]).toMatchObject({ parts: text(`my key is ${secret}`) });
    adapter.last.output({ raw: { direction: "in", data: JSON.stringify({ said: secret }) }, drafts: [] });
    for (const piece of secret.match(/.{1,4}/g)!)
      adapter.last.say({ type: "text.delta", part: "p", delta: piece });
    adapter.last.say(
      { type: "text.delta", part: "p", delta: " sk-" },
      { type: "text.end", part: "p" },
      { type: "tool.output", call: "c", output: { deep: [secret] } },
      { type: "turn.ended", outcome: "failed", error: { code: "x", message: `bad ${secret}` } },
    );
    await has("turn.ended");
    const { events } = await store.readEvents("s", 0, 1000);
    const { raws } = await store.readRaws("s", 0, 1000);
    const { messages } = await store.listMessages("s", { limit: 10 });
    const everything = JSON.stringify([events, raws, messages, await store.getSession("s")]);
    expect(everything).not.toContain("very");
    expect(everything).toContain("[secret KEY]");
    const said = events.map(({ json }) => JSON.parse(json)).filter((event) => event.type === "text.delta");
    expect(said.map((event) => event.delta).join("")).toBe("[secret KEY] sk-");
    await engine.close();

    const again = await open({ store });
    await expect(
      again.engine.run("prompt", { session: "s", parts: text("x"), whenBusy: "queue" }, TESTER),
    ).rejects.toMatchObject({
      code: "env_required",
    });
    await again.engine.run("updateSession", { session: "s", env: { OTHER: "another-value" } }, TESTER);
    expect((await again.engine.run("getSession", { session: "s" }, TESTER)).envRequired).toBe(true);
    await again.engine.run("updateSession", { session: "s", env: { KEY: secret } }, TESTER);
    expect(
      await again.engine.run("prompt", { session: "s", parts: text("x"), whenBusy: "queue" }, TESTER),
    ).toMatchObject({
      state: "started",
    });
  });
});

it("an honest repetition of a prompt is no conflict after more became secret", async () => {
  const { engine } = await open();
  await engine.run(
    "createSession",
    { id: "s", agent: "scripted", cwd: "/", env: { A: "secret-value-aaaa" } },
    TESTER,
  );
  const prompt = {
    id: "p",
    parts: text("use secret-value-aaaa and other-value-bbbb"),
    whenBusy: "queue",
  } as const;
  const first = await engine.run("prompt", { session: "s", ...prompt, parts: [...prompt.parts] }, TESTER);
  await engine.run("updateSession", { session: "s", env: { B: "other-value-bbbb" } }, TESTER);
  expect(
    await engine.run("prompt", { session: "s", ...prompt, parts: [...prompt.parts] }, TESTER),
  ).toMatchObject({
    seq: first.seq,
  });
});

describe("new values in the middle of a turn", () => {
  it("lose nothing that was held back, and leave the old ones masked", async () => {
    const { engine, adapter, store, has } = await open();
    await engine.run(
      "createSession",
      { id: "s", agent: "scripted", cwd: "/", env: { KEY: "first-secret" } },
      TESTER,
    );
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.say({ type: "text.delta", part: "p", delta: "It is first-" });
    await has("text.delta");
    await engine.run("updateSession", { session: "s", env: { KEY: "a-longer-second-secret" } }, TESTER);
    adapter.last.say(
      { type: "text.delta", part: "p", delta: "class, not first-secret" },
      { type: "turn.ended", outcome: "completed" },
    );
    await has("turn.ended");
    await engine.run(
      "prompt",
      { session: "s", parts: text("now a-longer-second-secret"), whenBusy: "queue" },
      TESTER,
    );
    await until(() => adapter.last.commands.length === 2);
    expect(adapter.last.commands[1]).toMatchObject({ parts: text("now a-longer-second-secret") });
    const { events } = await store.readEvents("s", 0, 1000);
    const said = events.map(({ json }) => JSON.parse(json)).filter((event) => event.type === "text.delta");
    expect(said.map((event) => event.delta).join("")).toBe("It is first-class, not [secret KEY]");
    expect(JSON.stringify(events)).not.toContain("second-secret");
  });
});

describe("secret answers", () => {
  /** A question was answered, the agent has repeated the answer, and the turn is over. */
  async function answered(secret: string) {
    const { engine, adapter, store, has } = await running();
    const questions = [{ id: "q1", text: "Pass phrase?", secret: true, free: true }];
    adapter.last.say({ type: "ask.opened", ask: "q", kind: "question", title: "?", options: [], questions });
    // As every adapter does: what is sent is recorded.
    adapter.last.onCommand = (command) =>
      adapter.last.output({ raw: { direction: "out", data: JSON.stringify(command) }, drafts: [] });
    await has("ask.opened");
    const [ask] = (await engine.run("listAsks", { session: "s" }, TESTER)).asks;
    await engine.run(
      "replyToAsk",
      { session: "s", ask: ask!.ask, answers: { q1: [secret] } },
      principal("ann", "test"),
    );
    await until(() => adapter.last.commands.length === 2);
    expect(adapter.last.commands[1]).toMatchObject({ answers: { q1: [secret] } });
    adapter.last.say({ type: "text.delta", part: "p", delta: `You said ${secret}.` });
    adapter.last.say({ type: "usage", input: 1, output: 1 }, { type: "turn.ended", outcome: "completed" });
    await has("turn.ended");
    const { events } = await store.readEvents("s", 0, 1000);
    const { raws } = await store.readRaws("s", 0, 1000);
    return { events: JSON.stringify(events), raws: JSON.stringify(raws) };
  }

  it("reach the agent, and are in no record of it", async () => {
    const { events, raws } = await answered("the pass phrase");
    expect(events + raws).not.toContain("pass phrase");
    expect(raws).toContain("[secret q1]");
    expect(events).toContain("You said [secret q1].");
  });

  it("are in no record also where they are short, and do not garble others", async () => {
    const { raws } = await answered("4711");
    expect(raws).not.toContain("4711");
    expect(raws).toContain("[secret q1]");
    // A word of the agent's own language.
    expect((await answered("usage")).raws).toContain("usage");
  });
});

describe("placeholders", () => {
  /** A store in which a word of what is written has become a placeholder, as older versions did it. */
  async function oldStore(word: string, placeholder: string): Promise<Store> {
    const store = await openStore(":memory:");
    const append = store.append.bind(store);
    store.append = (batch) => append(JSON.parse(JSON.stringify(batch).replaceAll(word, placeholder)));
    return store;
  }

  it("in the settings of an older log do not reach the agent: it is started without them, and told so", async () => {
    const store = await oldStore("old-value", "[secret GONE]");
    const first = await open({ store });
    await first.engine.run(
      "createSession",
      {
        id: "s",
        agent: "scripted",
        cwd: "/",
        model: "old-value",
        mode: "plan",
        options: { kept: 1, lost: ["old-value"], known: "value-of-key" },
        mcpServers: { files: { command: "old-value" } },
        env: { KEY: "value-of-key" },
      },
      TESTER,
    );
    await first.engine.close();
    const { engine, adapter, events } = await open({ store });
    await engine.run("updateSession", { session: "s", env: { KEY: "value-of-key" } }, TESTER);
    await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    const { model, mode, adapterOptions, mcpServers } = adapter.last.options;
    expect({ model, mode, adapterOptions, mcpServers }).toEqual({
      model: undefined,
      mode: "plan",
      adapterOptions: { kept: 1, known: "value-of-key" },
      mcpServers: {},
    });
    const notices = (await events()).flatMap((event) => (event.type === "notice" ? [event] : []));
    expect(notices.map(({ code }) => code)).toEqual(["secret", "secret", "secret"]);
    expect(notices[0]?.text).toContain("without model ([secret GONE])");
  });

  it("in a prompt that waited over a restart are not sent when nobody knows the value", async () => {
    const store = await oldStore("the pass phrase", "[secret q1]");
    const first = await open({ store });
    first.adapter.failure = new InterlinguaError("agent_failed", "not now");
    await first.engine.run(
      "createSession",
      { id: "s", agent: "scripted", cwd: "/", env: { KEY: "value-of-key" } },
      TESTER,
    );
    await first.engine.run("prompt", { session: "s", parts: text("first"), whenBusy: "queue" }, TESTER);
    await first.has("turn.ended");
    first.adapter.failure = undefined;
    await first.engine.run("prompt", { session: "s", parts: text("second"), whenBusy: "queue" }, TESTER);
    await until(() => first.adapter.last?.commands.length === 1);
    await first.engine.run(
      "prompt",
      { session: "s", parts: text("it is the pass phrase"), whenBusy: "queue" },
      TESTER,
    );
    await first.engine.run(
      "prompt",
      { session: "s", parts: text("and value-of-key"), whenBusy: "queue" },
      TESTER,
    );
    await first.engine.close();
    const { engine, adapter, events } = await open({ store });
    await engine.run("updateSession", { session: "s", env: { KEY: "value-of-key" } }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    expect(adapter.last.commands).toMatchObject([{ type: "prompt", parts: text("and value-of-key") }]);
    const ended = (await events()).flatMap((event) => (event.type === "turn.ended" ? [event.error] : []));
    expect(ended.at(-1)).toMatchObject({
      code: "env_required",
      message: expect.stringContaining("[secret q1]"),
    });
  });

  it("that a person types are their words", async () => {
    const { engine, adapter } = await running();
    await engine.run(
      "prompt",
      { session: "s", parts: text("what is [secret NAME]?"), whenBusy: "steer" },
      TESTER,
    );
    await until(() => adapter.last.commands.length === 2);
    expect(adapter.last.commands[1]).toMatchObject({ parts: text("what is [secret NAME]?") });
  });

  it.each([
    ["model", { model: "[secret KEY]" }],
    ["env.OTHER", { env: { OTHER: "[secret KEY]" } }],
  ])("are refused where the agent needs a value: %s", async (path, change) => {
    const { engine } = await open();
    const request = { id: "s", agent: "scripted", cwd: "/", ...change };
    const refusal = { code: "invalid_request", extras: { errors: [{ path }] } };
    await expect(engine.run("createSession", request, TESTER)).rejects.toMatchObject(refusal);
    await engine.run("createSession", { id: "s", agent: "scripted", cwd: "/" }, TESTER);
    await expect(engine.run("updateSession", { session: "s", ...change }, TESTER)).rejects.toMatchObject(
      refusal,
    );
  });
});

it("a model, a mode and numbers are never masked", async () => {
  const { engine, adapter, events, has } = await open();
  const env = { MODEL: "large-model", SIZE: "100000" };
  await engine.run(
    "createSession",
    { id: "s", agent: "scripted", cwd: "/", model: "large-model", env },
    TESTER,
  );
  await engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
  await until(() => adapter.last?.commands.length === 1);
  expect(adapter.last.options.model).toBe("large-model");
  adapter.last.say(
    { type: "session.updated", mode: "large-model" },
    { type: "tool.output", call: "c", output: { size: 100000, text: "100000" } },
    { type: "turn.ended", outcome: "completed" },
  );
  await has("turn.ended");
  const told = await events();
  expect(told.find(({ type }) => type === "session.updated")).toMatchObject({ mode: "large-model" });
  expect(told.find(({ type }) => type === "tool.output")).toMatchObject({
    output: { size: 100000, text: "[secret SIZE]" },
  });
});

it("a question called like something every object has is asked and answered like any other", async () => {
  const { engine, adapter, has } = await running();
  const questions = [
    { id: "constructor", text: "Pass phrase?", secret: true, free: true, required: true },
    { id: "toString", text: "Again?", secret: true, free: true },
  ];
  adapter.last.say({ type: "ask.opened", ask: "q", kind: "question", title: "?", options: [], questions });
  await has("ask.opened");
  const [ask] = (await engine.run("listAsks", { session: "s" }, TESTER)).asks;
  await expect(
    engine.run(
      "replyToAsk",
      { session: "s", ask: ask!.ask, answers: { toString: ["x"] } },
      principal("ann", "test"),
    ),
  ).rejects.toMatchObject({
    code: "option_not_offered",
  });
  await engine.run(
    "replyToAsk",
    { session: "s", ask: ask!.ask, answers: { constructor: ["the answer"] } },
    principal("ann", "test"),
  );
  await until(() => adapter.last.commands.length === 2);
  expect(adapter.last.commands[1]).toMatchObject({ answers: { constructor: ["the answer"] } });
});

describe("a long line of an agent with a secret", () => {
  const secret = "sk-long/secret-value";
  const escapes = "\\".repeat(400_000);
  const longLine = JSON.stringify({ said: `${secret}${escapes}` });

  async function talking(limits?: Partial<EngineLimits>, adapter = new ScriptedAdapter()) {
    const opened = await open({ adapter, limits });
    await opened.engine.run(
      "createSession",
      { id: "s", agent: "scripted", cwd: "/", env: { KEY: secret } },
      TESTER,
    );
    await opened.engine.run("prompt", { session: "s", parts: text("hi"), whenBusy: "queue" }, TESTER);
    await until(() => adapter.last?.commands.length === 1);
    return opened;
  }

  const said = (delta: string): Draft => ({ type: "text.delta", part: "p", delta });

  it("comes before what the agent said after it, and holds up nobody else", async () => {
    const { adapter, events, has } = await talking();
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    });
    adapter.last.output({
      raw: { direction: "in", data: longLine },
      drafts: [said(`${secret}${escapes} one `)],
    });
    adapter.last.say(
      said("two"),
      { type: "text.end", part: "p" },
      { type: "turn.ended", outcome: "completed" },
    );
    await has("turn.ended");
    clearInterval(count);
    expect(turns).toBeGreaterThan(10);
    const deltas = (await events()).flatMap((event) => (event.type === "text.delta" ? event.delta : []));
    expect(deltas.join("")).toBe(`[secret KEY]${escapes} one two`);
  });

  it("does not make a stop late: the agent that has stopped is not ended by force", async () => {
    const { engine, adapter, events, has } = await talking({ stopGraceMs: 20 });
    adapter.last.output({ raw: { direction: "in", data: longLine }, drafts: [said(`${secret}${escapes}`)] });
    adapter.last.say({ type: "text.end", part: "p" }, { type: "turn.ended", outcome: "interrupted" });
    // So that the line is being read.
    await new Promise((resolve) => setImmediate(resolve));
    await engine.run("interrupt", { session: "s" }, principal("owner", "test"));
    await has("turn.ended");
    const all = await events();
    expect(all.find(({ type }) => type === "turn.stopping")).toBeDefined();
    expect(all.find(({ type }) => type === "notice")).toBeUndefined();
    expect(all.find(({ type }) => type === "turn.ended")).not.toHaveProperty("error");
  });

  it("may be the one that tells of its session", async () => {
    class Late extends ScriptedAdapter {
      override async connect(options: ConnectOptions) {
        const session = new ScriptedSession(options);
        const attached = { type: "session.attached", agentSessionId: "native", model: "large" } as const;
        session.output({ raw: { direction: "in", data: longLine }, drafts: [attached] });
        this.sessions.push(session);
        return session;
      }
    }
    const { events } = await talking({}, new Late());
    expect((await events()).find(({ type }) => type === "session.attached")).toMatchObject({
      agentSessionId: "native",
      model: "large",
    });
  });

  it("has company in a prompt of many texts, none of them long", async () => {
    const { engine, adapter, events, has } = await open();
    await engine.run("createSession", { id: "s", agent: "scripted", cwd: "/", env: { KEY: secret } }, TESTER);
    const parts = Array.from({ length: 40 }, (_, n) => text(`${n} ${secret}${escapes.slice(0, 20_000)}`)[0]!);
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    });
    await engine.run("prompt", { session: "s", parts, whenBusy: "queue" }, TESTER);
    clearInterval(count);
    expect(turns).toBeGreaterThan(10);
    await has("prompt.dispatched");
    await until(() => adapter.last?.commands.length === 1);
    expect(adapter.last.commands[0]).toMatchObject({ parts });
    expect(JSON.stringify(await events())).not.toContain(secret);
  });

  it("in many files that a turn changed holds up nobody else when the changes are asked for", async () => {
    const { engine, cwd, write, turn } = await openProject();
    await create(engine, "s", { cwd, env: { KEY: secret } });
    await turn(() => {
      for (let n = 0; n < 10; n += 1) write(`${n}.txt`, `${n} ${secret}${escapes.slice(0, 80_000)}`);
    });
    let turns = 0;
    const count = setInterval(() => {
      turns += 1;
    });
    const changes = (await engine.run("listChanges", { session: "s" }, TESTER)).changes;
    clearInterval(count);
    expect(turns).toBeGreaterThan(10);
    expect(changes).toHaveLength(10);
    for (const { diff } of changes) expect(diff).toContain("[secret KEY]");
    expect(JSON.stringify(changes)).not.toContain(secret);
  });
});
