/** What an agent that begins a new conversation of its own learns of the one so far. */
import { expect, it } from "vitest";
import { checkLog } from "../../core/check-log.ts";
import type { CommandOf } from "../../core/command.ts";
import { InterlinguaError } from "../../core/error.ts";
import type { Message } from "../../core/message.ts";
import { ScriptedAdapter, ScriptedSession } from "../../testkit/scripted-adapter.ts";
import { TESTER } from "../../testkit/tester.ts";
import { until } from "../../testkit/until.ts";
import { create, open, text } from "../engine.test-support.ts";

type Opened = Awaited<ReturnType<typeof open>>;

/** An agent that answers each prompt with its own last words. */
function answering(capabilities: ConstructorParameters<typeof ScriptedAdapter>[0] = {}): ScriptedAdapter {
  const adapter = new ScriptedAdapter(capabilities);
  adapter.onConnect = (session) => {
    session.onCommand = (command) => {
      if (command.type !== "prompt") return;
      const said = textOf(command).at(-1);
      session.say({ type: "text.delta", part: "p", delta: `re: ${said}` });
      session.say({ type: "turn.ended", outcome: "completed" });
    };
  };
  return adapter;
}

const textOf = ({ parts }: CommandOf<"prompt">) =>
  parts.flatMap((part) => (part.type === "text" ? part.text : []));

/** The texts of the last prompt the agent got. */
function heard(session: ScriptedSession): string[] {
  const prompts = session.commands.filter((command) => command.type === "prompt");
  return textOf(prompts.at(-1)!);
}

async function say(opened: Opened, id: string): Promise<void> {
  const ended = (await opened.events()).filter(({ type }) => type === "turn.ended").length;
  await opened.engine.run(
    "prompt",
    { session: "s", id, parts: text(`say ${id}`), whenBusy: "queue" },
    TESTER,
  );
  await opened.has("turn.ended", ended + 1);
}

it("an agent that cannot forget begins anew after a rewind, with an account of what is left", async () => {
  const opened = await open({ adapter: answering({ rewind: false }) });
  const { engine, adapter, events } = opened;
  await create(engine);
  for (const id of ["u1", "u2", "u3"]) await say(opened, id);
  expect(await engine.run("rewind", { session: "s", before: "u2" }, TESTER)).toMatchObject({
    agentForgot: false,
  });
  await say(opened, "u4");
  expect(adapter.sessions).toHaveLength(2);
  expect(adapter.last.options).not.toMatchObject({ resume: true });
  const [account, prompt] = heard(adapter.last);
  expect(prompt).toBe("say u4");
  expect(account).toContain("User: say u1\n\nYou: re: say u1\n");
  expect(account).not.toContain("u2");
  // Only once.
  await say(opened, "u5");
  expect(heard(adapter.last)).toEqual(["say u5"]);
  const log = await events();
  expect(log.filter(({ type }) => type === "notice")).toMatchObject([
    { code: "rewind" },
    // In the answer that it is about, so that every client shows it.
    { code: "history", turn: expect.any(String), message: expect.any(String) },
  ]);
  expect(checkLog(log)).toEqual([]);
});

it("nothing is told after a rewind to the beginning", async () => {
  const opened = await open({ adapter: answering({ rewind: false }) });
  await create(opened.engine);
  await say(opened, "u1");
  await opened.engine.run("rewind", { session: "s", before: "u1" }, TESTER);
  await say(opened, "u2");
  expect(heard(opened.adapter.last)).toEqual(["say u2"]);
});

it("an account that was not heard is given again after a restart", async () => {
  const first = await open({ adapter: answering({ rewind: false }), isKilled: true });
  await create(first.engine);
  await say(first, "u1");
  await say(first, "u2");
  await first.engine.run("rewind", { session: "s", before: "u2" }, TESTER);
  first.adapter.onConnect = undefined;
  await first.engine.run(
    "prompt",
    { session: "s", id: "u3", parts: text("lost"), whenBusy: "queue" },
    TESTER,
  );
  await until(() => first.adapter.last.commands.length === 1);
  const second = await open({ adapter: answering({ rewind: false }), store: first.store });
  await say(second, "u4");
  expect(heard(second.adapter.last)[0]).toContain("say u1");
  expect(second.adapter.last.options).not.toMatchObject({ resume: true });
});

it("a conversation the agent has lost is told to the new one", async () => {
  const first = await open({ adapter: answering(), isKilled: true });
  await create(first.engine);
  await say(first, "u1");
  const opened = await open({ adapter: answering(), store: first.store });
  const { adapter, events } = opened;
  const connect = adapter.connect.bind(adapter);
  adapter.connect = async (options) => {
    if (options.resume) throw new InterlinguaError("conversation_lost", "It is gone.");
    return connect(options);
  };
  await say(opened, "u2");
  expect(heard(adapter.last)[0]).toContain("re: say u1");
  const notice = (await events()).find(({ type }) => type === "notice");
  expect(notice).toMatchObject({ code: "resume", text: expect.stringMatching(/It is gone.*account/) });
});

it("an agent that keeps no conversation is given the history at each start, and nobody is warned", async () => {
  const adapter = () => Object.assign(answering({ resume: false }), { takesHistory: true });
  const first = await open({ adapter: adapter(), isKilled: true });
  await create(first.engine);
  await say(first, "u1");
  const opened = await open({ adapter: adapter(), store: first.store });
  const told: Message[] = [];
  const connect = opened.adapter.connect.bind(opened.adapter);
  opened.adapter.connect = async (options) => {
    for await (const message of options.history ?? []) told.push(message);
    return connect(options);
  };
  await say(opened, "u2");
  expect(told.map(({ role }) => role)).toEqual(["assistant", "user"]);
  expect(opened.adapter.last.options).not.toMatchObject({ resume: true });
  expect(heard(opened.adapter.last)).toEqual(["say u2"]);
  expect((await opened.events()).filter(({ type }) => type === "notice")).toEqual([]);
});

it("an adapter that takes the history gets our messages, newest first, and no account", async () => {
  const adapter = Object.assign(answering({ rewind: false }), { takesHistory: true });
  const opened = await open({ adapter });
  await create(opened.engine);
  const told: Message[] = [];
  const connect = adapter.connect.bind(adapter);
  adapter.connect = async (options) => {
    for await (const message of options.history ?? []) told.push(message);
    return connect(options);
  };
  // More than one page.
  for (let turn = 1; turn <= 12; turn += 1) await say(opened, `u${turn}`);
  await opened.engine.run("rewind", { session: "s", before: "u12" }, TESTER);
  await say(opened, "u13");
  expect(told.filter(({ role }) => role === "user").map(({ id }) => id)).toEqual(
    Array.from({ length: 11 }, (_, place) => `u${11 - place}`),
  );
  expect(heard(adapter.last)).toEqual(["say u13"]);
});

/** An agent that has no id of its conversation to report, as one written by somebody else may be. */
function nameless(agentSessionId?: string): ScriptedAdapter {
  const adapter = answering();
  adapter.connect = async (options) => {
    const session = Object.assign(new ScriptedSession(options), { agentSessionId });
    adapter.sessions.push(session);
    adapter.onConnect?.(session);
    return session;
  };
  return adapter;
}

it("an agent that never names its conversation is told of it after a restart, and the log says that it forgot", async () => {
  const first = await open({ adapter: nameless(), isKilled: true });
  await create(first.engine);
  await say(first, "u1");
  const second = await open({ adapter: nameless(), store: first.store });
  await say(second, "u2");
  const [account, prompt] = heard(second.adapter.last);
  expect(account).toContain("User: say u1\n\nYou: re: say u1\n");
  expect(prompt).toBe("say u2");
  expect(second.adapter.last.options.resume).toBeUndefined();
  expect((await second.events()).filter(({ type }) => type === "notice")).toMatchObject([
    { level: "warning", code: "resume", text: expect.stringContaining("gave no id of that conversation") },
  ]);
});

it("nothing is missed of an agent without an id that was started and not spoken to", async () => {
  const first = await open({ adapter: nameless(), isKilled: true });
  await create(first.engine);
  await first.engine.run("attachSession", { session: "s" }, TESTER);
  const second = await open({ adapter: nameless(), store: first.store });
  await say(second, "u1");
  expect(heard(second.adapter.last)).toEqual(["say u1"]);
  expect((await second.events()).filter(({ type }) => type === "notice")).toEqual([]);
});

it("an id that the adapter supplies for its agent resumes the conversation after a restart", async () => {
  const first = await open({ adapter: nameless("ours"), isKilled: true });
  await create(first.engine);
  await say(first, "u1");
  const second = await open({ adapter: nameless("ours"), store: first.store });
  await say(second, "u2");
  expect(second.adapter.last.options).toMatchObject({ resume: true, agentSessionId: "ours" });
  expect(heard(second.adapter.last)).toEqual(["say u2"]);
  const attached = (await second.events()).filter(({ type }) => type === "session.attached");
  expect(attached[0]).toMatchObject({ agentSessionId: "ours" });
});
