import { afterEach, describe, expect, it } from "vitest";
import { checkLog } from "../core/check-log.ts";
import type { Draft } from "../core/draft.ts";
import type { SessionEvent } from "../core/event.ts";
import type { SessionAppend, Store } from "../core/store.ts";
import { openStore } from "../store/open-store.ts";
import { instrumentStore } from "../testkit/instrument-store.ts";
import { ScriptedAdapter } from "../testkit/scripted-adapter.ts";
import { until } from "../testkit/until.ts";
import { createEngine } from "./create-engine.ts";
import type { Engine } from "./engine.ts";
import type { EngineLimits } from "./limits.ts";

const text = (words: string) => [{ type: "text" as const, text: words }];

const permission: Draft[] = [
  { type: "tool.start", call: "c", name: "Bash" },
  {
    type: "ask.opened",
    ask: "q",
    kind: "permission",
    call: "c",
    title: "Run it?",
    options: [
      { id: "allow", label: "Allow", effect: "once" },
      { id: "deny", label: "Deny", effect: "reject" },
    ],
  },
];

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function open(
  options: { adapter?: ScriptedAdapter; limits?: Partial<EngineLimits>; store?: Store } = {},
) {
  const store = options.store ?? (await openStore(":memory:"));
  const adapter = options.adapter ?? new ScriptedAdapter();
  const engine = await createEngine({
    store,
    agents: new Map([["scripted", adapter]]),
    limits: options.limits,
    commitRetryMs: 5,
  });
  closers.push(() => engine.close());
  const events = async (session = "s"): Promise<SessionEvent[]> => {
    const page = await store.readEvents(session, 0, 100_000);
    return page.events.map(({ json }) => JSON.parse(json) as SessionEvent);
  };
  const has = async (type: SessionEvent["type"], count = 1) =>
    until(async () => (await events()).filter((event) => event.type === type).length >= count);
  return { store, adapter, engine, events, has };
}

async function create(engine: Engine, id = "s") {
  return engine.createSession({ id, agent: "scripted", cwd: "/" });
}

describe("prompts", () => {
  it("accepts, attaches, dispatches and ends a turn", async () => {
    const { engine, adapter, events, has } = await open();
    await create(engine);
    const receipt = await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    expect(receipt).toMatchObject({ state: "started", seq: 2 });
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.say(
      { type: "text.delta", part: "p", delta: "hello" },
      { type: "turn.ended", outcome: "completed" },
    );
    await has("turn.ended");
    const log = await events();
    expect(log.map((event) => event.type)).toEqual([
      "session.created",
      "prompt.accepted",
      "session.attached",
      "turn.started",
      "prompt.dispatched",
      "message.started",
      "step.started",
      "text.start",
      "text.delta",
      "text.end",
      "step.ended",
      "turn.ended",
    ]);
    expect(checkLog(log)).toEqual([]);
  });

  it("gives a repeated message id the first answer, and refuses it with other content", async () => {
    const { engine, adapter } = await open();
    await create(engine);
    const send = (words: string) => engine.prompt("s", { id: "u1", parts: text(words), whenBusy: "queue" });
    const [first, again] = await Promise.all([send("hi"), send("hi")]);
    expect(again).toEqual(first);
    await expect(send("other")).rejects.toMatchObject({ code: "message_exists" });
    await until(() => adapter.last?.commands.length === 1);
    expect(adapter.last.commands).toHaveLength(1);
  });

  it("queues while a turn runs and goes on in order; waiting prompts can be changed and withdrawn", async () => {
    const { engine, adapter, has } = await open();
    await create(engine);
    await engine.prompt("s", { parts: text("one"), whenBusy: "queue" });
    await has("turn.started");
    for (const id of ["two", "three", "four"]) {
      expect(await engine.prompt("s", { id, parts: text(id), whenBusy: "queue" })).toMatchObject({
        state: "queued",
      });
    }
    await engine.changeQueued("s", "four", text("4"));
    await engine.withdrawQueued("s", "three");
    expect((await engine.queue("s")).map(({ message }) => message)).toEqual(["two", "four"]);
    await expect(engine.prompt("s", { parts: text("x"), whenBusy: "reject" })).rejects.toMatchObject({
      code: "session_busy",
    });
    for (let turn = 1; turn <= 3; turn += 1) {
      await until(() => adapter.last.commands.length === turn);
      adapter.last.say({ type: "turn.ended", outcome: "completed" });
    }
    await has("turn.ended", 3);
    const sent = adapter.last.commands.map((command) => command.type === "prompt" && command.parts);
    expect(sent).toEqual([text("one"), text("two"), text("4")]);
    await expect(engine.withdrawQueued("s", "two")).rejects.toMatchObject({ code: "message_not_queued" });
  });

  it("steers a running turn, and refuses to where the agent cannot", async () => {
    const { engine, adapter, has, events } = await open();
    await create(engine);
    await engine.prompt("s", { parts: text("one"), whenBusy: "queue" });
    await has("turn.started");
    const receipt = await engine.prompt("s", { id: "u2", parts: text("two"), whenBusy: "steer" });
    expect(receipt).toMatchObject({
      state: "steered",
      turn: (await events()).find((e) => e.type === "turn.started")?.turn,
    });
    await until(() => adapter.last.commands.length === 2);
    expect(adapter.last.commands[1]).toMatchObject({ type: "prompt", message: "u2", steer: true });
    adapter.last.say(
      { type: "text.delta", part: "p", delta: "x" },
      { type: "turn.ended", outcome: "completed" },
    );
    await has("turn.ended");
    expect(checkLog(await events())).toEqual([]);

    const dull = await open({ adapter: new ScriptedAdapter({ steer: false }) });
    await create(dull.engine);
    await expect(dull.engine.prompt("s", { parts: text("x"), whenBusy: "steer" })).rejects.toMatchObject({
      code: "unsupported",
    });
  });

  it("can be stopped while the agent is being started, before the agent hears of it", async () => {
    const adapter = new ScriptedAdapter();
    const connect = adapter.connect.bind(adapter);
    let start = () => {};
    adapter.connect = (options) => new Promise((resolve) => (start = () => resolve(connect(options))));
    const { engine, has, events } = await open({ adapter });
    await create(engine);
    expect(await engine.interrupt("s", "owner")).toBe(false);
    await engine.prompt("s", { id: "u1", parts: text("one"), whenBusy: "queue" });
    await engine.prompt("s", { id: "u2", parts: text("two"), whenBusy: "queue" });
    expect(await engine.interrupt("s", "owner")).toBe(true);
    start();
    await until(() => adapter.last?.commands.length === 1);
    expect(adapter.last.commands[0]).toMatchObject({ message: "u2" });
    await has("turn.started", 2);
    expect((await events()).find((event) => event.type === "turn.ended")).toMatchObject({
      outcome: "interrupted",
    });
    expect(checkLog(await events())).toEqual([]);
    await expect(engine.withdrawQueued("s", "nobody")).rejects.toMatchObject({ code: "message_not_found" });
  });

  it("tells in a failed turn why an agent did not start", async () => {
    const adapter = new ScriptedAdapter();
    adapter.failure = new Error('could not start "scripted": not found on PATH');
    const { engine, events, has } = await open({ adapter });
    await create(engine);
    await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await has("turn.ended");
    expect((await events()).at(-1)).toMatchObject({
      outcome: "failed",
      error: { code: "agent_failed", message: expect.stringContaining("not found on PATH") },
    });
    expect(checkLog(await events(), { complete: true })).toEqual([]);
  });
});

describe("asks", () => {
  async function waiting(limits?: Partial<EngineLimits>) {
    const opened = await open({ limits });
    await create(opened.engine);
    await opened.engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await until(() => opened.adapter.last?.commands.length === 1);
    opened.adapter.last.say(...permission);
    await opened.has("ask.opened");
    const [ask] = await opened.engine.openAsks();
    return { ...opened, ask: ask!.ask };
  }

  it("lets the first answer win; an equal one succeeds again, another gets the winner", async () => {
    const { engine, adapter, ask, events, has } = await waiting();
    expect((await engine.getSession("s")).status).toBe("waiting");
    const results = await Promise.allSettled([
      engine.reply("s", ask, { reply: "once" }, "one"),
      engine.reply("s", ask, { reply: "reject" }, "two"),
      engine.reply("s", ask, { option: "allow" }, "three"),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({
      reason: { code: "ask_answered", extras: { answer: { option: "allow", by: "one" } } },
    });
    await has("ask.closed");
    await expect(engine.reply("s", ask, { reply: "reject" }, "late")).rejects.toMatchObject({
      code: "ask_answered",
    });
    await engine.reply("s", ask, { reply: "once" }, "late");
    const replies = adapter.last.commands.filter((command) => command.type === "reply");
    expect(replies).toEqual([expect.objectContaining({ ask: "q", option: "allow", effect: "once" })]);
    expect((await events()).filter((event) => event.type === "ask.answered")).toHaveLength(1);
  });

  it("denies the call of a rejected ask", async () => {
    const { engine, ask, events, has } = await waiting();
    await engine.reply("s", ask, { reply: "reject", message: "not now" }, "owner");
    await has("tool.denied");
    expect((await events()).at(-1)).toMatchObject({ type: "tool.denied", reason: "not now" });
  });

  it("refuses what the ask does not offer and changes nothing", async () => {
    const { engine, ask, events } = await waiting();
    const before = (await events()).length;
    await expect(engine.reply("s", ask, { reply: "always" }, "x")).rejects.toMatchObject({
      code: "option_not_offered",
    });
    await expect(engine.reply("s", ask, { option: "?" }, "x")).rejects.toMatchObject({
      code: "option_not_offered",
    });
    await expect(engine.reply("s", "a999", { reply: "once" }, "x")).rejects.toMatchObject({
      code: "ask_not_found",
    });
    await expect(engine.reply("s", ask, { reply: "once" }, "x", "question")).rejects.toMatchObject({
      code: "ask_not_found",
    });
    expect(await events()).toHaveLength(before);
  });

  it("declines an ask nobody answered in time", async () => {
    const { engine, adapter, ask, events, has } = await waiting({ askTimeoutMs: 5 });
    await has("tool.denied");
    expect(adapter.last.commands.at(-1)).toMatchObject({ type: "reply", option: "deny", effect: "reject" });
    expect((await events()).find((event) => event.type === "ask.closed")).toMatchObject({
      outcome: "expired",
      delivered: true,
    });
    await expect(engine.reply("s", ask, { reply: "once" }, "late")).rejects.toMatchObject({
      code: "ask_closed",
    });
  });

  it("cancels an ask when its turn is stopped", async () => {
    const { engine, adapter, ask, has } = await waiting();
    expect(await engine.interrupt("s", "owner")).toBe(true);
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("turn.ended");
    await expect(engine.reply("s", ask, { reply: "once" }, "late")).rejects.toMatchObject({
      code: "ask_closed",
    });
    expect(await engine.interrupt("s", "owner")).toBe(false);
  });
});

describe("an agent that fails", () => {
  async function running(limits?: Partial<EngineLimits>) {
    const opened = await open({ limits });
    await create(opened.engine);
    await opened.engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await until(() => opened.adapter.last?.commands.length === 1);
    return opened;
  }

  it("ends its turn with the last words of its stderr, and is resumed for the next prompt", async () => {
    const { engine, adapter, events, has } = await running();
    adapter.last.say({ type: "text.delta", part: "p", delta: "half a sen" });
    await engine.prompt("s", { parts: text("next"), whenBusy: "queue" });
    adapter.last.die(3, null, "panic: out of cheese");
    await until(() => adapter.sessions.length === 2 && adapter.last.commands.length === 1);
    expect(adapter.last.options).toMatchObject({ resume: true, agentSessionId: "native-s" });
    await has("turn.started", 2);
    const ended = (await events()).find((event) => event.type === "turn.ended");
    expect(ended).toMatchObject({
      outcome: "failed",
      error: { code: "agent_exited", message: expect.stringMatching(/code 3.*out of cheese/) },
    });
    expect((await events()).find((event) => event.type === "session.detached")).toMatchObject({
      reason: "crash",
      code: 3,
    });
    expect(checkLog(await events())).toEqual([]);
  });

  it("is ended when it does not stop in time", async () => {
    const { engine, adapter, events, has } = await running({ stopGraceMs: 5 });
    await engine.interrupt("s", "owner");
    await has("turn.ended");
    expect((await events()).find((event) => event.type === "turn.ended")).toMatchObject({
      outcome: "interrupted",
    });
    expect(adapter.last.commands.at(-1)).toEqual({ type: "interrupt" });
    expect(checkLog(await events(), { complete: true })).toEqual([]);
  });

  it("says so when a turn has been silent for long, and stops it when that is wanted", async () => {
    const { events, has } = await running({ turnQuietMs: 5, turnQuietStopMs: 20, stopGraceMs: 5 });
    await has("turn.ended");
    expect((await events()).find((event) => event.type === "notice")).toMatchObject({ code: "quiet" });
    expect((await events()).find((event) => event.type === "turn.ended")).toMatchObject({
      outcome: "interrupted",
    });
  });

  it("is detached when idle, but not while a task of its own runs", async () => {
    const { adapter, has, events } = await running({ idleDetachMs: 10 });
    adapter.last.say(
      { type: "task.started", task: "k", title: "server" },
      { type: "turn.ended", outcome: "completed" },
    );
    await has("turn.ended");
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await events()).some((event) => event.type === "session.detached")).toBe(false);
    adapter.last.say({ type: "task.ended", task: "k", outcome: "completed" });
    await has("session.detached");
    expect((await events()).at(-1)).toMatchObject({ reason: "idle" });
  });

  it("that cannot resume says that it has forgotten", async () => {
    const adapter = new ScriptedAdapter({ resume: false });
    const { engine, events, has } = await open({ adapter });
    await create(engine);
    await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.die(1);
    await has("session.detached");
    await engine.prompt("s", { parts: text("again"), whenBusy: "queue" });
    await has("notice");
    expect((await events()).find((event) => event.type === "notice")).toMatchObject({ code: "resume" });
  });
});

describe("sessions", () => {
  it("are created once; the same request again changes nothing, another one is refused", async () => {
    const { engine } = await open();
    expect((await create(engine)).created).toBe(true);
    expect((await create(engine)).created).toBe(false);
    await expect(engine.createSession({ id: "s", agent: "scripted", cwd: "/tmp" })).rejects.toMatchObject({
      code: "session_exists",
    });
    await expect(engine.createSession({ agent: "nobody", cwd: "/" })).rejects.toMatchObject({
      code: "agent_not_found",
      extras: { agents: ["scripted"] },
    });
    await expect(engine.createSession({ agent: "scripted", cwd: "/", mode: "dance" })).rejects.toMatchObject({
      code: "unsupported",
    });
    await expect(engine.updateSession("s", { mode: "dance" })).rejects.toMatchObject({ code: "unsupported" });
    await expect(engine.getSession("nobody")).rejects.toMatchObject({ code: "session_not_found" });
  });

  it("pass on changes of model and mode, and keep them for the next process", async () => {
    const { engine, adapter, has } = await open();
    await create(engine);
    await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await until(() => adapter.last?.commands.length === 1);
    await engine.updateSession("s", { model: "large", permissionMode: "plan", title: "T" });
    expect(adapter.last.commands.at(-1)).toMatchObject({
      type: "configure",
      model: "large",
      permissionMode: "plan",
    });
    adapter.last.die(1);
    await has("session.detached");
    await engine.prompt("s", { parts: text("again"), whenBusy: "queue" });
    await until(() => adapter.sessions.length === 2);
    expect(adapter.last.options).toMatchObject({ model: "large", permissionMode: "plan" });
    await expect(engine.updateSession("s", { permissionMode: "wild" })).rejects.toMatchObject({
      code: "unsupported",
    });
  });

  it("are closed with their agent ended and waiting prompts withdrawn, and stay readable", async () => {
    const { engine, events, has } = await open();
    await create(engine);
    await engine.prompt("s", { parts: text("one"), whenBusy: "queue" });
    await has("turn.started");
    await engine.prompt("s", { parts: text("two"), whenBusy: "queue" });
    expect((await engine.updateSession("s", { status: "closed" })).status).toBe("closed");
    const log = await events();
    expect(log.at(-1)?.type).toBe("session.closed");
    expect(checkLog(log, { complete: true })).toEqual([]);
    await expect(engine.prompt("s", { parts: text("x"), whenBusy: "queue" })).rejects.toMatchObject({
      code: "session_closed",
    });
  });

  it("are deleted with their readers told", async () => {
    const { engine, store } = await open();
    await create(engine);
    let deleted = false;
    engine.follow(
      "s",
      () => {},
      () => {
        deleted = true;
      },
    );
    await engine.deleteSession("s");
    expect(deleted).toBe(true);
    expect(await store.getSession("s")).toBeUndefined();
    expect((await create(engine)).created).toBe(true);
  });

  it("rewind the conversation and tell whether the agent forgot too", async () => {
    const { engine, adapter, has, store, events } = await open();
    await create(engine);
    for (const [turn, id] of ["u1", "u2"].entries()) {
      await engine.prompt("s", { id, parts: text(id), whenBusy: "queue" });
      await until(() => adapter.last?.commands.length === turn + 1);
      adapter.last.say({ type: "turn.ended", outcome: "completed" });
      await has("turn.ended", turn + 1);
    }
    expect(await engine.rewind("s", "u2")).toMatchObject({ before: "u2", agentForgot: true });
    expect(adapter.last.commands.at(-1)).toEqual({ type: "rewind", before: "u2" });
    const { messages } = await store.listMessages("s", { limit: 10 });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant"]);
    await expect(engine.rewind("s", "u2")).rejects.toMatchObject({ code: "message_not_found" });
    expect(await engine.prompt("s", { id: "u2", parts: text("u2 again"), whenBusy: "queue" })).toMatchObject({
      state: "started",
    });
    await until(() => adapter.last.commands.length === 4);
    adapter.last.say(
      { type: "text.delta", part: "p", delta: "x" },
      { type: "turn.ended", outcome: "completed" },
    );
    await has("turn.ended", 3);
    const again = await store.listMessages("s", { limit: 10 });
    expect(again.messages.map(({ id, role }) => (role === "user" ? id : role))).toEqual([
      "u1",
      "assistant",
      "u2",
      "assistant",
    ]);
    expect(checkLog(await events())).toEqual([]);

    const dull = await open({ adapter: new ScriptedAdapter({ rewind: false }) });
    await create(dull.engine);
    await dull.engine.prompt("s", { id: "u1", parts: text("x"), whenBusy: "queue" });
    await until(() => dull.adapter.last?.commands.length === 1);
    dull.adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await dull.has("turn.ended");
    expect(await dull.engine.rewind("s", "u1")).toMatchObject({ agentForgot: false });
    expect((await dull.events()).at(-1)).toMatchObject({ type: "notice", code: "rewind" });
  });
});

describe("secrets", () => {
  it("are masked wherever they appear, whole or in pieces, and asked for again after a restart", async () => {
    const secret = 'sk-"very"-secret-value';
    const { engine, adapter, store, has } = await open();
    await engine.createSession({ id: "s", agent: "scripted", cwd: "/", env: { KEY: secret } });
    await engine.prompt("s", { parts: text(`my key is ${secret}`), whenBusy: "queue" });
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
    await expect(again.engine.prompt("s", { parts: text("x"), whenBusy: "queue" })).rejects.toMatchObject({
      code: "env_required",
    });
    await again.engine.updateSession("s", { env: { OTHER: "another-value" } });
    expect((await again.engine.getSession("s")).envRequired).toBe(true);
    await again.engine.updateSession("s", { env: { KEY: secret } });
    expect(await again.engine.prompt("s", { parts: text("x"), whenBusy: "queue" })).toMatchObject({
      state: "started",
    });
  });
});

describe("new values in the middle of a turn", () => {
  it("lose nothing that was held back, and leave the old ones masked", async () => {
    const { engine, adapter, store, has } = await open();
    await engine.createSession({ id: "s", agent: "scripted", cwd: "/", env: { KEY: "first-secret" } });
    await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.say({ type: "text.delta", part: "p", delta: "It is first-" });
    await has("text.delta");
    await engine.updateSession("s", { env: { KEY: "a-longer-second-secret" } });
    adapter.last.say(
      { type: "text.delta", part: "p", delta: "class, not first-secret" },
      { type: "turn.ended", outcome: "completed" },
    );
    await has("turn.ended");
    await engine.prompt("s", { parts: text("now a-longer-second-secret"), whenBusy: "queue" });
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
    const { engine, adapter, store, has } = await open();
    await create(engine);
    await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await until(() => adapter.last?.commands.length === 1);
    const questions = [{ id: "q1", text: "Pass phrase?", secret: true, free: true }];
    adapter.last.say({ type: "ask.opened", ask: "q", kind: "question", title: "?", options: [], questions });
    // As every adapter does: what is sent is recorded.
    adapter.last.onCommand = (command) =>
      adapter.last.output({ raw: { direction: "out", data: JSON.stringify(command) }, drafts: [] });
    await has("ask.opened");
    const [ask] = await engine.openAsks("s");
    await engine.reply("s", ask!.ask, { answers: { q1: [secret] } }, "ann");
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

describe("an agent that", () => {
  it("dies right after it was started fails the prompt instead of being started for ever", async () => {
    const adapter = new ScriptedAdapter();
    adapter.onConnect = (session) => session.die(7, null, "no licence");
    const { engine, events, has } = await open({ adapter });
    await create(engine);
    await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await has("turn.ended");
    expect(adapter.sessions).toHaveLength(1);
    expect((await events()).at(-1)).toMatchObject({
      outcome: "failed",
      error: { code: "agent_failed", message: expect.stringContaining("no licence") },
    });
  });

  it("never opens its session is given up after a while, and does not hold up closing or deleting", async () => {
    const adapter = new ScriptedAdapter();
    adapter.connect = () => new Promise(() => {});
    const { engine, events, has } = await open({ adapter, limits: { connectTimeoutMs: 20 } });
    await create(engine);
    await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await has("turn.ended");
    expect((await events()).at(-1)).toMatchObject({ error: { code: "agent_failed" } });
    await create(engine, "t");
    await engine.prompt("t", { parts: text("hi"), whenBusy: "queue" });
    await engine.updateSession("t", { status: "closed" });
    await engine.deleteSession("t");
  });

  it("cannot be ended does not take the daemon with it", async () => {
    const { engine, adapter, has } = await open({ limits: { idleDetachMs: 5 } });
    await create(engine);
    await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.close = () => Promise.reject(new Error("stuck in the kernel"));
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("session.detached");
    expect(await engine.prompt("s", { parts: text("again"), whenBusy: "queue" })).toMatchObject({
      state: "started",
    });
  });

  it("says something late does not hold up the next prompt for ever", async () => {
    const { engine, adapter, has, events } = await open({ limits: { agentTurnQuietMs: 5 } });
    await create(engine);
    await engine.prompt("s", { parts: text("one"), whenBusy: "queue" });
    await until(() => adapter.last?.commands.length === 1);
    adapter.last.say(
      { type: "turn.ended", outcome: "completed" },
      { type: "text.delta", part: "late", delta: "x" },
    );
    await has("turn.started", 2);
    await engine.prompt("s", { parts: text("two"), whenBusy: "queue" });
    await until(() => adapter.last.commands.length === 2);
    expect(checkLog(await events())).toEqual([]);
  });
});

describe("a session whose agent is no longer known", () => {
  it("can be read, closed and deleted, and tells why it cannot be prompted", async () => {
    const first = await open();
    await create(first.engine);
    await first.engine.close();
    const engine = await createEngine({ store: first.store, agents: new Map() });
    closers.push(() => engine.close());
    expect(await engine.getSession("s")).toMatchObject({ agent: "scripted" });
    await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await first.has("turn.ended");
    expect((await first.events()).at(-1)).toMatchObject({ error: { code: "agent_not_found" } });
    expect(await engine.updateSession("s", { status: "closed" })).toMatchObject({ status: "closed" });
    await engine.deleteSession("s");
  });
});

describe("a session whose data the store refuses", () => {
  it("is given up and read again, and the others go on", async () => {
    const inner = await openStore(":memory:");
    let poison = true;
    const store = instrumentStore(inner, {
      append: (batch: readonly SessionAppend[]) => {
        const isBad = poison && batch.some(({ session, events }) => session === "s" && events[0]!.seq > 1);
        return isBad ? Promise.reject(new Error("event 9 does not follow 1")) : inner.append(batch);
      },
    });
    const { engine } = await open({ store });
    await create(engine);
    await create(engine, "t");
    const refused = engine.updateSession("s", { title: "x" });
    const fine = engine.updateSession("t", { title: "y" });
    await expect(refused).rejects.toThrow("does not follow");
    expect(await fine).toMatchObject({ title: "y" });
    expect(engine.health().ok).toBe(true);
    poison = false;
    expect(await engine.updateSession("s", { title: "z" })).toMatchObject({ title: "z" });
  });

  it("is created once, however often it is asked for while a commit fails", async () => {
    const inner = await openStore(":memory:");
    let failures = 1;
    const store = instrumentStore(inner, {
      append: (batch: readonly SessionAppend[]) =>
        failures-- > 0
          ? Promise.reject(Object.assign(new Error("full"), { retryable: true }))
          : inner.append(batch),
    });
    const { engine, events } = await open({ store });
    const results = await Promise.allSettled([create(engine), create(engine)]);
    expect(results.map(({ status }) => status)).toContain("rejected");
    await until(() => engine.health().ok);
    expect((await create(engine)).created).toBe(false);
    expect(await events()).toHaveLength(1);
  });
});

describe("a store that cannot write", () => {
  it("publishes nothing, takes no commands, turns health red and goes on when it can", async () => {
    const inner = await openStore(":memory:");
    let broken = false;
    const store = instrumentStore(inner, {
      append: (batch: readonly SessionAppend[]) =>
        broken
          ? Promise.reject(Object.assign(new Error("database or disk is full"), { retryable: true }))
          : inner.append(batch),
    });
    const { engine, adapter, events, has } = await open({ store });
    await create(engine);
    await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await until(() => adapter.last?.commands.length === 1);
    const seen: number[] = [];
    engine.follow("s", (batch) => seen.push(...batch.map(({ seq }) => seq)));
    broken = true;
    adapter.last.say({ type: "text.delta", part: "p", delta: "unseen" });
    await until(() => !engine.health().ok);
    expect(seen).toEqual([]);
    await expect(engine.prompt("s", { parts: text("x"), whenBusy: "queue" })).rejects.toMatchObject({
      code: "store_unavailable",
    });
    for (let line = 0; line < 50; line += 1) adapter.last.say({ type: "text.delta", part: "p", delta: "x" });
    broken = false;
    adapter.last.say({ type: "turn.ended", outcome: "completed" });
    await has("turn.ended");
    expect(engine.health().ok).toBe(true);
    const log = await events();
    expect(seen).toEqual(log.map((event) => event.seq).filter((seq) => seq >= seen[0]!));
    expect(checkLog(log)).toEqual([]);
  });
});

describe("a daemon that died", () => {
  it("closes the open turn honestly, keeps the queue and never sends a prompt twice", async () => {
    const first = await open();
    await create(first.engine);
    await first.engine.prompt("s", { id: "u1", parts: text("one"), whenBusy: "queue" });
    await until(() => first.adapter.last?.commands.length === 1);
    first.adapter.last.say(...permission);
    await first.has("ask.opened");
    await first.engine.prompt("s", { id: "u2", parts: text("two"), whenBusy: "queue" });

    // The first engine is simply forgotten, as kill -9 would do.
    const second = await open({ store: first.store });
    await until(() => second.adapter.last?.commands.length === 1);
    expect(second.adapter.last.options).toMatchObject({ resume: true });
    expect(second.adapter.last.commands).toEqual([
      expect.objectContaining({ type: "prompt", message: "u2" }),
    ]);
    const log = await second.events();
    expect(log.find((event) => event.type === "turn.ended")).toMatchObject({
      outcome: "interrupted",
      error: { code: "daemon_restarted" },
      delivery: "known",
    });
    expect(log.find((event) => event.type === "ask.closed")).toMatchObject({ outcome: "cancelled" });
    expect(checkLog(log)).toEqual([]);
    closers.shift();
  });
});

describe("a daemon that stops", () => {
  it("says so in the end of the turn, also where the agent ends it when it is told to leave", async () => {
    const adapter = new ScriptedAdapter();
    adapter.onConnect = (session) => {
      session.close = async () => {
        session.say({ type: "turn.ended", outcome: "interrupted" });
        session.die(0);
      };
    };
    const { engine, events } = await open({ adapter });
    await create(engine);
    await engine.prompt("s", { parts: text("hi"), whenBusy: "queue" });
    await until(() => adapter.last?.commands.length === 1);
    await engine.close();
    expect((await events()).find((event) => event.type === "turn.ended")).toMatchObject({
      outcome: "interrupted",
      error: { code: "daemon_restarted" },
    });
  });

  it("keeps a prompt whose agent is only being started, and gives it to the agent after the next start", async () => {
    const adapter = new ScriptedAdapter();
    adapter.connect = () => new Promise(() => {});
    const first = await open({ adapter });
    await create(first.engine);
    await first.engine.prompt("s", { id: "u1", parts: text("one"), whenBusy: "queue" });
    await first.engine.close();
    expect((await first.events()).map(({ type }) => type)).toEqual(["session.created", "prompt.accepted"]);

    const second = await open({ store: first.store });
    await until(() => second.adapter.last?.commands.length === 1);
    expect(second.adapter.last.commands[0]).toMatchObject({ type: "prompt", message: "u1" });
  });
});
