/** Our port as the guide's. The guide's lists of tests run for every agent in its contract; here is what they leave open. */
import { describe, expect, test } from "vitest";
import { withMock } from "../agents/mock/with-mock.test-support.ts";
import { InterlinguaError } from "../core/error.ts";
import { describeAdapterContract } from "../testkit/adapter-contract/index.ts";
import { SCRIPTED_CAPABILITIES, ScriptedAdapter } from "../testkit/scripted-adapter.ts";
import { until } from "../testkit/until.ts";
import { createUnifiedMessage } from "./create-unified-message.ts";
import { fromUnifiedAdapter } from "./from-unified-adapter.ts";
import { ReplayLog } from "./replay-log.ts";
import { toUnifiedAdapter } from "./to-unified-adapter.ts";
import type { UnifiedMessage, UnifiedMessageType } from "./unified-message.ts";

const mock = withMock();

/** There and back: what the guide's port can say is all that is lost. */
describeAdapterContract({
  name: "mock, by UnifiedMessages and back",
  createAdapter: () => {
    const { capabilities } = mock().adapter;
    return fromUnifiedAdapter(toUnifiedAdapter(mock().adapter), {
      capabilities: { ...capabilities, resume: false, rewind: false, fork: false, stopTasks: false },
      adapterOptions: ["pace"],
    });
  },
  connectOptions: () => ({ cwd: mock().directory, adapterOptions: { pace: 0.2 } }),
  failure: () => ({ options: { cwd: "/does/not/exist" } }),
  adapterOptions: { pace: 0 },
  scenarios: {
    answer: { prompt: "scenario:text", holds: (run) => run.text.includes("Hello from the mock agent.") },
    stream: { prompt: "scenario:burst:20" },
    endless: { prompt: "scenario:hang" },
    permission: {
      prompt: "scenario:approve",
      isAllowed: (run) => run.text.includes("passed-1 "),
      isDenied: (run) => run.text.includes("skipped-1 "),
      edited: {
        change: () => ({ command: "npm run lint" }),
        holds: (run) =>
          run.of("tool.output").some(({ output }) => JSON.stringify(output).includes("npm run lint")),
      },
    },
    question: {
      prompt: "scenario:question",
      answer: () => ({ answers: { q1: ["Green"] } }),
      holds: (run) => run.text.includes("You chose: Green."),
    },
    slashCommand: { prompt: "/help", holds: (run) => run.text.includes("scenario:") },
    image: {
      prompt: "scenario:text",
      files: [
        {
          type: "file",
          url: "data:image/png;base64,iVBORw0KGgo=",
          mediaType: "image/png",
          filename: "pixel.png",
        },
      ],
      holds: (run) => run.text.includes("pixel.png"),
    },
    memory: {
      told: "scenario:text the word is kestrel",
      prompt: "scenario:recall",
      holds: (run) => run.text.includes("kestrel"),
    },
    steering: {
      running: "scenario:long",
      prompt: "look at kestrels too",
      holds: (run) => run.text.includes("I change course: look at kestrels too"),
    },
    model: {
      model: "mock-small",
      prompt: "scenario:text",
      holds: (run) => run.of("usage").at(-1)?.model === "mock-small",
    },
  },
});

async function open(capabilities = SCRIPTED_CAPABILITIES) {
  const agent = new ScriptedAdapter(capabilities);
  const session = await toUnifiedAdapter(agent, { connect: { cwd: "/" } }).connect({ sessionId: "s" });
  const messages: UnifiedMessage[] = [];
  const reading = (async () => {
    for await (const message of session.messages) messages.push(message);
  })();
  return { agent: agent.last, session, messages, reading };
}

function message(type: UnifiedMessageType, metadata = {}, text?: string): UnifiedMessage {
  const content = text === undefined ? [] : [{ type: "text" as const, text }];
  return createUnifiedMessage({ type, role: "user", metadata, content });
}

const typesOf = (messages: readonly UnifiedMessage[]) => messages.map(({ type }) => type);

test("without a directory there is no session", async () => {
  const connecting = toUnifiedAdapter(new ScriptedAdapter()).connect({ sessionId: "s" });
  await expect(connecting).rejects.toMatchObject({ code: "invalid_request", message: /cwd/ });
});

test("what our connect knows is taken from adapterOptions, and the rest is the agent's own", async () => {
  const agent = new ScriptedAdapter();
  const session = await toUnifiedAdapter(agent).connect({
    sessionId: "s",
    adapterOptions: { cwd: "/work", model: "large", pace: 3 },
  });
  expect(agent.last.options).toMatchObject({ cwd: "/work", model: "large", adapterOptions: { pace: 3 } });
  await session.close();
});

describe("prompts", () => {
  test("a user_message without content is one, as the guide's tests send it", async () => {
    const { agent, session } = await open();
    const prompt = createUnifiedMessage({ type: "user_message", role: "user" });
    session.send(prompt);
    expect(agent.commands).toEqual([
      { type: "prompt", message: prompt.id, parts: [{ type: "text", text: "" }] },
    ]);
    await session.close();
  });

  test("an agent is told once to stop, however often its session is", async () => {
    const { agent, session } = await open();
    session.send(message("user_message", {}, "Work"));
    session.send(message("interrupt"));
    session.interrupt();
    expect(agent.commands.map(({ type }) => type)).toEqual(["prompt", "interrupt"]);
    await session.close();
  });

  test("wait for the turn before them, and are told once", async () => {
    const { agent, session, messages } = await open();
    const [first, second] = [message("user_message", {}, "One"), message("user_message", {}, "Two")];
    for (const each of [first, second, second]) session.send(each);
    expect(agent.commands).toMatchObject([{ type: "prompt", message: first.id }]);
    agent.say({ type: "text.delta", delta: "Hi" }, { type: "turn.ended", outcome: "completed" });
    await until(() => agent.commands.length === 2);
    expect(agent.commands[1]).toMatchObject({ type: "prompt", message: second.id });
    expect(typesOf(messages)).not.toContain("user_message");
    await session.close();
  });

  test("can be steered into the running turn", async () => {
    const { agent, session } = await open();
    session.send(message("user_message", {}, "One"));
    session.send(message("user_message", { when_busy: "steer" }, "Two"));
    expect(agent.commands).toMatchObject([{ type: "prompt" }, { type: "prompt", steer: true }]);
    await session.close();
  });

  test("too many that wait are refused", async () => {
    const { session } = await open();
    for (let count = 0; count < 101; count += 1) session.send(message("user_message", {}, "Hi"));
    expect(() => session.send(message("user_message", {}, "Hi"))).toThrow(/100 prompts are waiting/);
    await session.close();
  });

  test("a prompt the agent refuses is a turn that failed", async () => {
    const { agent, session, messages } = await open();
    agent.onCommand = () => {
      throw new InterlinguaError("unsupported", "no images");
    };
    session.send(message("user_message", {}, "Hi"));
    await until(() => typesOf(messages).includes("result"));
    expect(messages.find(({ type }) => type === "result")!.metadata).toMatchObject({
      outcome: "failed",
      error: "no images",
      native_error_code: "unsupported",
    });
    await session.close();
  });
});

describe("control messages are answered", () => {
  test("a change of settings when the agent has taken or refused it", async () => {
    const { agent, session, messages } = await open();
    agent.onConfigure = async ({ model }) => {
      if (model === "none") throw new InterlinguaError("unsupported", "no such model");
    };
    const [good, bad] = ["large", "none"].map((model) => message("configuration_change", { model })) as [
      UnifiedMessage,
      UnifiedMessage,
    ];
    session.send(good);
    session.send(bad);
    await until(() => messages.filter(({ type }) => type === "control_response").length === 2);
    const answers = messages.filter(({ type }) => type === "control_response");
    expect(answers.map(({ role, metadata }) => ({ role, ...metadata }))).toMatchObject([
      { role: "system", inResponseTo: good.id, subtype: "success", request_type: "configuration_change" },
      {
        role: "system",
        inResponseTo: bad.id,
        subtype: "error",
        error: "no such model",
        error_code: "unsupported",
      },
    ]);
    await session.close();
  });

  test("an unknown message, and one for consumers, with a refusal", async () => {
    const { session, messages, agent } = await open();
    session.send(message("unknown", { anything: 1 }));
    session.send(message("assistant"));
    await until(() => messages.filter(({ type }) => type === "control_response").length === 2);
    for (const { metadata } of messages.filter(({ type }) => type === "control_response"))
      expect(metadata).toMatchObject({ subtype: "error", error_code: "unsupported" });
    expect(agent.commands).toEqual([]);
    await session.close();
  });

  test("an answer to a request that is not open", async () => {
    const { session, messages } = await open();
    const answer = message("permission_response", { request_id: "a99", behavior: "allow" });
    session.send(answer);
    await until(() => typesOf(messages).includes("control_response"));
    expect(messages.at(-1)!.metadata).toMatchObject({ inResponseTo: answer.id, error_code: "ask_not_found" });
    await session.close();
  });

  test("what cannot be read is thrown back, with the field", async () => {
    const { session } = await open();
    expect(() => session.send({} as UnifiedMessage)).toThrow(/^id must be/);
    expect(() => session.send(message("permission_response", {}))).toThrow(/metadata.request_id/);
    await session.close();
  });
});

test("messages no command says go on to an agent of this protocol", async () => {
  const sent: UnifiedMessage[] = [];
  const capabilities = {
    streaming: true,
    permissions: false,
    slashCommands: false,
    availability: "local",
  } as const;
  const theirs = fromUnifiedAdapter({
    name: "theirs",
    capabilities,
    connect: async ({ sessionId }) => ({
      sessionId,
      send: (each: UnifiedMessage) => void sent.push(each),
      messages: { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) },
      close: async () => {},
    }),
  });
  const session = await toUnifiedAdapter(theirs, { connect: { cwd: "/" } }).connect({ sessionId: "s" });
  const unknown = message("unknown", { anything: 1 });
  session.send(unknown);
  expect(sent).toEqual([unknown]);
  await session.close();
});

test("an agent that is gone ends its messages, after the last ones, and says so", async () => {
  const { agent, session, messages, reading } = await open();
  let isGone = false;
  session.onDisconnect(() => {
    isGone = true;
  });
  session.send(message("user_message", {}, "Hi"));
  agent.say({ type: "text.delta", delta: "I beg" });
  agent.die(1);
  await reading;
  expect(isGone).toBe(true);
  const result = messages.find(({ type }) => type === "result");
  expect(result?.metadata).toMatchObject({ outcome: "failed", error_code: "execution_error" });
  expect(() => session.send(message("interrupt"))).toThrow(/closed/);
});

test("a consumer that does not read lets the agent wait", async () => {
  const agent = new ScriptedAdapter();
  const session = await toUnifiedAdapter(agent, { connect: { cwd: "/" } }).connect({ sessionId: "s" });
  session.send(message("user_message", {}, "Hi"));
  for (let count = 0; count < 3000; count += 1) agent.last.say({ type: "text.delta", delta: `${count} ` });
  agent.last.say({ type: "turn.ended", outcome: "completed" });
  let isOver = false;
  const replayed: number[] = [];
  const watching = (async () => {
    for await (const { seq } of session.replay(0)) if (seq !== undefined) replayed.push(seq);
    isOver = true;
  })();
  await until(() => replayed.length > 900);
  await new Promise((resolve) => setImmediate(resolve));
  expect(replayed.length).toBeLessThan(1100);
  let text = "";
  for await (const { type, content } of session.messages) {
    if (type === "stream_event")
      text += content.map((block) => (block.type === "text" ? block.text : "")).join("");
    if (type === "result") break;
  }
  expect(text.split(" ")).toHaveLength(3001);
  await session.close();
  await watching;
  expect(isOver).toBe(true);
});

describe("a replay", () => {
  test("goes on with what comes, and ends with the session", async () => {
    const log = new ReplayLog();
    const read: (number | undefined)[] = [];
    const one = message("interrupt");
    log.add(1, [one]);
    const reading = (async () => {
      for await (const { seq } of log.replay(0)) read.push(seq);
    })();
    await until(() => read.length === 1);
    log.add(2, [one, one]);
    await until(() => read.length === 3);
    log.close();
    await reading;
    expect(read).toEqual([1, undefined, 2]);
  });

  test("of what is no longer kept is refused", async () => {
    const log = new ReplayLog();
    for (let seq = 1; seq <= 20_010; seq += 1) log.add(seq, [message("interrupt")]);
    await expect(log.replay(9).next()).rejects.toThrow(/up to 10 are no longer kept/);
    expect((await log.replay(10).next()).value).toMatchObject({ seq: 11 });
  });
});
