/** A session that begins as a copy of another. */
import { expect, it } from "vitest";
import type { ConnectOptions } from "../../core/adapter.ts";
import { checkLog } from "../../core/check-log.ts";
import { InterlinguaError } from "../../core/error.ts";
import { ScriptedAdapter } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";

type Opened = Awaited<ReturnType<typeof open>>;

/** Answers each prompt with a tool call and words, and names the places in its own conversation. */
function answering(capabilities: ConstructorParameters<typeof ScriptedAdapter>[0] = {}): ScriptedAdapter {
  const adapter = new ScriptedAdapter(capabilities);
  adapter.onConnect = (session) => {
    session.onCommand = (command) => {
      if (command.type !== "prompt") return;
      const { message } = command;
      session.say({ type: "prompt.received", message, native: `native-${message}` });
      session.say({ type: "tool.start", call: "c", name: "Bash" });
      session.say({ type: "tool.output", call: "c", output: "done" });
      session.say({ type: "text.delta", part: "p", delta: `re ${message}` });
      session.say({ type: "usage", input: 10, output: 1 });
      session.say({ type: "turn.ended", outcome: "completed", native: `end-${message}` });
    };
  };
  return adapter;
}

async function say(opened: Opened, session: string, id: string, words = `say ${id}`): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const follower = opened.engine.follow(session, (events) => {
    if (events.some(({ json }) => json.includes('"turn.ended"'))) resolve();
  });
  await opened.engine.run("prompt", { session, id, parts: text(words), whenBusy: "queue" }, TESTER);
  await promise;
  follower.stop();
}

async function started(agent?: ConstructorParameters<typeof ScriptedAdapter>[0] | ScriptedAdapter) {
  const opened = await open({ adapter: agent instanceof ScriptedAdapter ? agent : answering(agent) });
  await create(opened.engine, "s", { title: "Origin", model: "m" });
  for (const id of ["u1", "u2", "u3"]) await say(opened, "s", id);
  return opened;
}

async function messageIds({ store }: Opened, session: string): Promise<string[]> {
  return (await store.listMessages(session, { limit: 100 })).messages.map(({ id }) => id);
}

it("a fork has the kept messages under their ids, in a log of its own", async () => {
  const opened = await started();
  const { engine, store, events } = opened;
  const before = await events();
  const fork = await engine.run("forkSession", { session: "s", before: "u3" }, TESTER);
  expect(fork).toMatchObject({ title: "Origin", model: "m", forkedFrom: { session: "s", message: "u3" } });
  const log = await events(fork.id);
  expect(checkLog(log, { complete: true })).toEqual([]);
  expect(log.length).toBeGreaterThan(0);
  expect(log.filter(({ raw }) => raw !== undefined)).toEqual([]);
  expect(await messageIds(opened, fork.id)).toEqual((await messageIds(opened, "s")).slice(0, 4));
  // The origin has one more event, and its view names the fork while that exists.
  expect((await events()).slice(0, before.length)).toEqual(before);
  expect((await events()).at(-1)).toMatchObject({ type: "session.forked", fork: fork.id, before: "u3" });
  expect((await engine.run("getSession", { session: "s" }, TESTER)).forks).toEqual([fork.id]);
  const found = await store.listSessions({ limit: 10, search: "u2" });
  expect(found.sessions.map(({ id }) => id).sort()).toEqual([fork.id, "s"].sort());
  expect((await store.check()).problems).toEqual([]);
  await engine.run("deleteSession", { session: fork.id }, TESTER);
  expect((await engine.run("getSession", { session: "s" }, TESTER)).forks).toEqual([]);
});

it("what copied turns have used counts once", async () => {
  const opened = await started();
  const { engine, store } = opened;
  const total = async () => (await store.usage({ limit: 100 })).rows.reduce((sum, row) => sum + row.turns, 0);
  expect(await total()).toBe(3);
  const fork = await engine.run("forkSession", { session: "s" }, TESTER);
  expect(await total()).toBe(3);
  await say(opened, fork.id, "u4");
  expect(await total()).toBe(4);
  // Each message still tells what it has used.
  const { messages } = await store.listMessages(fork.id, { limit: 100 });
  const ends = messages.flatMap(
    ({ record }) => record?.events?.filter(({ type }) => type === "turn.ended") ?? [],
  );
  expect(ends).toHaveLength(4);
  expect(ends[0]).toMatchObject({ usage: { input: 10, output: 1 } });
});

it("a fork goes on with new ids, also after a restart", async () => {
  const opened = await started();
  const fork = await opened.engine.run("forkSession", { session: "s", before: "u2" }, TESTER);
  await say(opened, fork.id, "u4");
  const again = await open({ adapter: answering(), store: opened.store });
  await say(again, fork.id, "u5");
  expect(checkLog(await again.events(fork.id))).toEqual([]);
  expect((await messageIds(again, fork.id)).filter((id) => id.startsWith("u"))).toEqual(["u1", "u4", "u5"]);
  expect(await messageIds(again, "s")).toHaveLength(6);
});

it("an agent that can fork goes on from its own conversation, at the place where the kept turns end", async () => {
  const opened = await started({ fork: true });
  const { engine, adapter } = opened;
  const fork = await engine.run("forkSession", { session: "s", before: "u3" }, TESTER);
  await say(opened, fork.id, "u4");
  const place = { agentSessionId: "native-s", after: "end-u2", before: "native-u3" };
  expect(adapter.last.options).toMatchObject({ sessionId: fork.id, fork: place });
  expect(adapter.last.commands).toMatchObject([{ parts: [{ text: "say u4" }] }]);
  const notices = (await opened.events(fork.id)).filter(({ type }) => type === "notice");
  expect(notices).toMatchObject([{ code: "fork" }]);
});

it("a fork does not get what its origin said after it", async () => {
  const opened = await started({ fork: true });
  const fork = await opened.engine.run("forkSession", { session: "s" }, TESTER);
  await say(opened, "s", "u4");
  await say(opened, fork.id, "u5");
  expect(opened.adapter.last.options.fork).toMatchObject({ after: "end-u3", before: "native-u4" });
});

it.each<[string, ConstructorParameters<typeof ScriptedAdapter>[0], Error | undefined]>([
  ["cannot fork", {}, undefined],
  ["has lost its conversation", { fork: true }, new InterlinguaError("conversation_lost", "It is gone.")],
])("an agent that %s gets an account with the first prompt", async (_what, capabilities, failure) => {
  const opened = await started(capabilities);
  const { engine, adapter } = opened;
  const connect = adapter.connect.bind(adapter);
  adapter.connect = async (options: ConnectOptions) => {
    if (options.fork && failure) throw failure;
    return connect(options);
  };
  const fork = await engine.run("forkSession", { session: "s", before: "u3" }, TESTER);
  await say(opened, fork.id, "u4");
  expect(adapter.last.commands).toMatchObject([
    { parts: [{ text: expect.stringMatching(/say u1.*re u2/s) }, { text: "say u4" }] },
  ]);
  expect(JSON.stringify(adapter.last.commands)).not.toContain("u3");
  expect((await opened.events(fork.id)).filter(({ type }) => type === "notice")).toMatchObject([
    { text: expect.stringContaining("a written account") },
  ]);
});

it("a fork of what its origin took back since gets an account", async () => {
  const opened = await started({ fork: true });
  const fork = await opened.engine.run("forkSession", { session: "s" }, TESTER);
  await opened.engine.run("rewind", { session: "s", before: "u2" }, TESTER);
  await say(opened, fork.id, "u4");
  expect(opened.adapter.last.options.fork).toBeUndefined();
  expect(opened.adapter.last.commands).toMatchObject([
    { parts: [{ text: expect.stringContaining("re u3") }, {}] },
  ]);
});

it("a fork of a session that was deleted since gets an account", async () => {
  const opened = await started({ fork: true });
  const fork = await opened.engine.run("forkSession", { session: "s" }, TESTER);
  await opened.engine.run("deleteSession", { session: "s" }, TESTER);
  await say(opened, fork.id, "u4");
  expect(opened.adapter.last.options.fork).toBeUndefined();
  expect(JSON.stringify(opened.adapter.last.commands)).toContain("re u3");
});

it("a closed session can be forked, an unknown message cannot", async () => {
  const opened = await started();
  await expect(
    opened.engine.run("forkSession", { session: "s", before: "nobody" }, TESTER),
  ).rejects.toMatchObject({
    code: "message_not_found",
  });
  await opened.engine.run("updateSession", { session: "s", status: "closed" }, TESTER);
  const fork = await opened.engine.run("forkSession", { session: "s", before: "u1" }, TESTER);
  expect(fork).toMatchObject({ status: "idle" });
  expect(await messageIds(opened, fork.id)).toEqual([]);
  await say(opened, fork.id, "u9");
  expect(opened.adapter.last.commands).toMatchObject([{ parts: [{ text: "say u9" }] }]);
});

it("an agent that forgets by beginning as a copy goes on from where the rest ends, also after a restart", async () => {
  const adapter = Object.assign(answering({ fork: true, rewind: true }), { rewindsByFork: true });
  const opened = await started(adapter);
  const { engine, events } = opened;
  expect(await engine.run("rewind", { session: "s", before: "u2" }, TESTER)).toMatchObject({
    before: "u2",
    agentForgot: true,
  });
  expect(await engine.run("getSession", { session: "s" }, TESTER)).toMatchObject({ attached: false });
  expect(opened.adapter.last.commands.some(({ type }) => type === "rewind")).toBe(false);
  const later = Object.assign(answering({ fork: true, rewind: true }), { rewindsByFork: true });
  const again = await open({ adapter: later, store: opened.store });
  await say(again, "s", "u4");
  const place = { agentSessionId: "native-s", after: "end-u1", before: "native-u2" };
  expect(later.last.options).toMatchObject({ sessionId: "s", fork: place });
  expect(later.last.options).not.toMatchObject({ resume: true });
  expect(later.last.commands).toMatchObject([{ parts: [{ text: "say u4" }] }]);
  expect(checkLog(await events())).toEqual([]);
  // The copy has a conversation of its own by then, which is resumed as ever.
  const last = await open({ adapter: answering({ fork: true }), store: opened.store });
  await say(last, "s", "u5");
  expect(last.adapter.last.options).toMatchObject({ resume: true });
});

it("an agent that forgets by beginning as a copy begins anew where nothing is left", async () => {
  const adapter = Object.assign(answering({ fork: true, rewind: true }), { rewindsByFork: true });
  const opened = await started(adapter);
  expect(await opened.engine.run("rewind", { session: "s", before: "u1" }, TESTER)).toMatchObject({
    agentForgot: true,
  });
  await say(opened, "s", "u4");
  expect(adapter.last.options.fork).toBeUndefined();
  expect(adapter.last.options).not.toMatchObject({ resume: true });
  expect(adapter.last.commands).toMatchObject([{ parts: [{ text: "say u4" }] }]);
});

it("an agent whose last kept turn has no known end gets an account after a rewind", async () => {
  const adapter = Object.assign(new ScriptedAdapter({ fork: true, rewind: true }), { rewindsByFork: true });
  adapter.onConnect = (session) => {
    session.onCommand = ({ type }) => {
      if (type === "prompt") session.say({ type: "turn.ended", outcome: "completed" });
    };
  };
  const opened = await started(adapter);
  expect(await opened.engine.run("rewind", { session: "s", before: "u3" }, TESTER)).toMatchObject({
    agentForgot: false,
  });
  await say(opened, "s", "u4");
  expect(adapter.last.options.fork).toBeUndefined();
  expect(JSON.stringify(adapter.last.commands)).toContain("say u2");
});

it("a fork of a fork goes on from the conversation that has the turns", async () => {
  const opened = await started({ fork: true });
  const { engine, adapter } = opened;
  const fork = await engine.run("forkSession", { session: "s" }, TESTER);
  const early = await engine.run("forkSession", { session: fork.id, before: "u3" }, TESTER);
  await say(opened, early.id, "u4");
  const place = { agentSessionId: "native-s", after: "end-u2", before: "native-u3" };
  expect(adapter.last.options).toMatchObject({ sessionId: early.id, fork: place });
  expect(early.forkedFrom).toEqual({ session: fork.id, message: "u3" });
  // One of turns of its own is from its own.
  await say(opened, fork.id, "u5");
  const late = await engine.run("forkSession", { session: fork.id }, TESTER);
  await say(opened, late.id, "u6");
  expect(adapter.last.options).toMatchObject({
    fork: { agentSessionId: `native-${fork.id}`, after: "end-u5" },
  });
});

it("a fork that is rewound before its first prompt does not remember what was taken back", async () => {
  const opened = await started({ fork: true, rewind: true });
  const fork = await opened.engine.run("forkSession", { session: "s" }, TESTER);
  expect(await opened.engine.run("rewind", { session: fork.id, before: "u2" }, TESTER)).toMatchObject({
    agentForgot: true,
  });
  await say(opened, fork.id, "u4");
  expect(opened.adapter.last.options.fork).toMatchObject({ after: "end-u1", before: "native-u2" });
});

it("a fork before a message goes on there although other messages were taken back in its place", async () => {
  const opened = await started({ fork: true, rewind: true });
  await opened.engine.run("rewind", { session: "s", before: "u2" }, TESTER);
  await say(opened, "s", "u4");
  const fork = await opened.engine.run("forkSession", { session: "s", before: "u4" }, TESTER);
  await say(opened, fork.id, "u5");
  expect(opened.adapter.last.options.fork).toMatchObject({ after: "end-u1", before: "native-u4" });
});

it("a fork during a running turn leaves that turn out", async () => {
  const opened = await started({ fork: true });
  const { engine, adapter } = opened;
  const answer = adapter.last.onCommand;
  adapter.last.onCommand = ({ type, ...command }) => {
    if (type === "prompt" && "message" in command)
      adapter.last.say({ type: "prompt.received", message: command.message, native: "native-u4" });
  };
  await engine.run("prompt", { session: "s", id: "u4", parts: text("say u4"), whenBusy: "queue" }, TESTER);
  await until(async () =>
    (await opened.events()).some((event) => event.type === "prompt.received" && event.message === "u4"),
  );
  const fork = await engine.run("forkSession", { session: "s" }, TESTER);
  expect(fork.status).toBe("idle");
  expect((await messageIds(opened, fork.id)).filter((id) => id.startsWith("u"))).toEqual(["u1", "u2", "u3"]);
  expect((await engine.run("getSession", { session: "s" }, TESTER)).status).toBe("running");
  adapter.last.onCommand = answer;
  adapter.last.say({ type: "turn.ended", outcome: "completed" });
  await say(opened, fork.id, "u5");
  expect(adapter.last.options.fork).toMatchObject({ after: "end-u3", before: "native-u4" });
});

it("lists name the session that a session was copied from", async () => {
  const opened = await started();
  const fork = await opened.engine.run("forkSession", { session: "s", before: "u2" }, TESTER);
  await opened.engine.run("updateSession", { session: fork.id, title: "Another" }, TESTER);
  const { sessions } = await opened.store.listSessions({ limit: 10 });
  const origins = sessions.map(({ id, forkedFrom }) => [id, forkedFrom]);
  expect(origins).toContainEqual([fork.id, { session: "s", message: "u2" }]);
  expect(origins).toContainEqual(["s", undefined]);
});

it("a fork whose prompts alone are too long is refused and nothing is made", async () => {
  const opened = await open({ adapter: answering(), limits: { maxForkBytes: 20_000 } });
  const { engine, store } = opened;
  await create(engine, "s");
  await say(opened, "s", "u1");
  await say(opened, "s", "u2", "x".repeat(20_000));
  await say(opened, "s", "u3");
  await expect(engine.run("forkSession", { session: "s" }, TESTER)).rejects.toMatchObject({
    code: "fork_too_large",
  });
  expect((await store.listSessions({ limit: 10 })).sessions.map(({ id }) => id)).toEqual(["s"]);
  await engine.run("forkSession", { session: "s", before: "u2" }, TESTER);
});

it("a long prompt that is left out does not make a fork too long", async () => {
  const opened = await open({ adapter: answering(), limits: { maxForkBytes: 20_000 } });
  await create(opened.engine, "s");
  await say(opened, "s", "u1");
  await say(opened, "s", "u2", "x".repeat(20_000));
  const fork = await opened.engine.run("forkSession", { session: "s", before: "u2" }, TESTER);
  expect(await messageIds(opened, fork.id)).toEqual((await messageIds(opened, "s")).slice(0, 2));
});
