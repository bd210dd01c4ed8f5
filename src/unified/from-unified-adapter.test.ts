import { describe, expect, test } from "vitest";
import type { BackendAdapter, ConnectOptions } from "../core/adapter.ts";
import { checkLog } from "../core/check-log.ts";
import type { Command } from "../core/command.ts";
import type { Draft } from "../core/draft.ts";
import { describeAdapterContract } from "../testkit/adapter-contract/index.ts";
import { startRun } from "../testkit/session-run.ts";
import { until } from "../testkit/until.ts";
import { createMessageChannel } from "./create-message-channel.ts";
import { createUnifiedMessage } from "./create-unified-message.ts";
import { type FromUnifiedOptions, fromUnifiedAdapter } from "./from-unified-adapter.ts";
import { MyBackendAdapter } from "./my-backend.test-support.ts";
import type { UnifiedConnectOptions, UnifiedPassthrough, UnifiedSession } from "./unified-adapter.ts";
import type { UnifiedContent, UnifiedMessage, UnifiedMessageType } from "./unified-message.ts";

describeAdapterContract({
  name: "the guide's sample",
  createAdapter: () => fromUnifiedAdapter(new MyBackendAdapter(), { adapterOptions: ["greeting"] }),
  connectOptions: () => ({ cwd: "/" }),
  failure: () => ({ options: { cwd: "/does/not/exist" } }),
  adapterOptions: { greeting: "Hello" },
  scenarios: {
    answer: { prompt: "hello", holds: (run) => run.text.includes("You said: hello") },
    stream: { prompt: "stream" },
    endless: { prompt: "work for ever" },
    permission: {
      prompt: "need a permission",
      isAllowed: (run) => run.text.includes("I have done it."),
      isDenied: (run) => run.text.includes("I have skipped it."),
    },
    question: { prompt: "ask", answer: () => ({}), holds: () => false },
    slashCommand: { prompt: "/help", holds: (run) => !run.text.includes("You said: /help") },
    image: {
      prompt: "look",
      files: [{ type: "file", url: "data:image/png;base64,AAAA", mediaType: "image/png" }],
      holds: () => true,
    },
    memory: { told: "the word is kestrel", prompt: "which word?", holds: () => false },
    steering: { running: "work for ever", prompt: "stop", holds: () => false },
    model: { model: "large", prompt: "hello", holds: () => false },
  },
});

interface Foreign {
  adapter: BackendAdapter;
  /** What the agent says; any value. */
  say(value: unknown): void;
  end(): void;
  fail(error: Error): void;
  readonly sent: UnifiedMessage[];
  readonly connected: UnifiedConnectOptions[];
}

/** An adapter whose session does what a test says. */
function foreign(options: FromUnifiedOptions = {}, extension: object = {}): Foreign {
  const channel = createMessageChannel<unknown>();
  const failure = Promise.withResolvers<never>();
  failure.promise.catch(() => {});
  const sent: UnifiedMessage[] = [];
  const connected: UnifiedConnectOptions[] = [];
  const capabilities = {
    streaming: true,
    permissions: true,
    slashCommands: false,
    availability: "local",
  } as const;
  async function* read(): AsyncGenerator<UnifiedMessage> {
    const source = channel[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([source.next(), failure.promise]);
      if (next.done) return;
      yield next.value as UnifiedMessage;
    }
  }
  const connect = async (given: UnifiedConnectOptions): Promise<UnifiedSession> => {
    connected.push(given);
    return {
      sessionId: given.sessionId,
      send: (message) => void sent.push(message),
      messages: read(),
      close: async () => channel.close(),
      ...extension,
    };
  };
  return {
    adapter: fromUnifiedAdapter({ name: "foreign", capabilities, connect }, options),
    say: (value) => channel.push(value),
    end: () => channel.close(),
    fail: failure.reject,
    sent,
    connected,
  };
}

function message(
  type: UnifiedMessageType,
  metadata: Record<string, unknown> = {},
  content: UnifiedContent[] = [],
): UnifiedMessage {
  return createUnifiedMessage({
    type,
    role: type === "assistant" ? "assistant" : "system",
    metadata,
    content,
  });
}

const DONE = message("result", { subtype: "success" });

describe("a session", () => {
  test("connect gets what the daemon knows of it", async () => {
    const { adapter, connected } = foreign();
    const options: ConnectOptions = {
      sessionId: "s",
      cwd: "/work",
      model: "large",
      environment: { KEY: "x" },
      adapterOptions: { port: 1 },
    };
    const session = await adapter.connect(options);
    expect(connected).toEqual([
      {
        sessionId: "s",
        adapterOptions: { cwd: "/work", model: "large", environment: { KEY: "x" }, port: 1 },
      },
    ]);
    await session.close();
  });

  test("what it yields is kept as it was, and what is no message is agent.unknown", async () => {
    const agent = foreign();
    const run = await startRun({ adapter: agent.adapter });
    await run.prompt("hello");
    const cyclic: Record<string, unknown> = { type: "assistant" };
    cyclic.self = cyclic;
    const answer = message("assistant", {}, [{ type: "text", text: "Hi" }]);
    for (const value of [{ type: "team_message" }, 7, undefined, cyclic, answer, DONE]) agent.say(value);
    await run.untilEvent("turn.ended");
    expect(run.of("agent.unknown").map(({ native, text }) => [native, text])).toEqual([
      ["team_message", expect.stringContaining("id must be")],
      ["invalid", "no UnifiedMessage: it must be a UnifiedMessage"],
      ["invalid", "no UnifiedMessage: it must be a UnifiedMessage"],
      ["assistant", expect.stringContaining("id must be")],
    ]);
    expect(run.text).toBe("Hi");
    const raw = run.outputs.flatMap(({ raw: { direction, data } }) => (direction === "in" ? [data] : []));
    expect(raw).toContain(JSON.stringify(answer));
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
  });

  test("the end of its messages is the end of the agent", async () => {
    const agent = foreign();
    const run = await startRun({ adapter: agent.adapter });
    await run.prompt("hello");
    agent.say(message("stream_event", {}, [{ type: "text", text: "I beg" }]));
    await run.untilEvent("text.delta");
    agent.end();
    await run.over;
    expect(run.of("turn.ended")[0]).toMatchObject({ outcome: "failed", error: { code: "agent_exited" } });
    expect(run.outputs.at(-1)?.raw).toMatchObject({ data: { event: "exit", code: 0 } });
    expect(checkLog(run.events, { complete: true })).toEqual([]);
    expect(() => run.session.send({ type: "interrupt" })).toThrow(/closed/);
  });

  test("messages that fail are its end, with the reason", async () => {
    const agent = foreign();
    const run = await startRun({ adapter: agent.adapter });
    agent.fail(new Error("socket hang up"));
    await run.over;
    expect(run.outputs.at(-1)?.raw).toMatchObject({
      data: { event: "exit", code: 1, stderr: "socket hang up" },
    });
  });

  test("a reader that does not read lets the agent wait", async () => {
    let yielded = 0;
    async function* endless() {
      for (;;) {
        yielded += 1;
        yield message("stream_event", {}, [{ type: "text", text: "x" }]);
      }
    }
    const { adapter } = foreign({}, { messages: endless() });
    const session = await adapter.connect({ sessionId: "s", cwd: "/" });
    await until(() => yielded >= 60);
    await new Promise((resolve) => setImmediate(resolve));
    expect(yielded).toBeLessThan(100);
    await session.close();
  });

  test("a session id of the adapter's own is kept as agentSessionId", async () => {
    const agent = foreign({}, { sessionId: "conversation-7" });
    const run = await startRun({ adapter: agent.adapter });
    expect(run.session.sessionId).not.toBe("conversation-7");
    await run.prompt("hello");
    await until(() => agent.sent.length === 1);
    expect(agent.sent[0]?.metadata.session_id).toBe("conversation-7");
    expect(run.of("session.attached")).toMatchObject([{ agentSessionId: "conversation-7" }]);
    // As in the guide's own translator, which has the id of the program here. Ours says nothing new.
    agent.say(message("session_init", { session_id: run.session.sessionId, model: "large" }));
    agent.say(message("session_init", { session_id: "thread-8" }));
    agent.say(DONE);
    await run.untilEvent("turn.ended");
    const told = run.outputs.flatMap(({ drafts }) =>
      drafts.filter(({ type }) => type === "session.attached"),
    );
    expect(told).toEqual([
      { type: "session.attached", agentSessionId: "conversation-7" },
      { type: "session.attached", model: "large" },
      { type: "session.attached", agentSessionId: "thread-8" },
    ]);
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
  });

  test("messages that no command says are passed on", async () => {
    const agent = foreign();
    const session = await agent.adapter.connect({ sessionId: "s", cwd: "/" });
    const unknown = createUnifiedMessage({ type: "unknown", role: "user", metadata: { anything: 1 } });
    (session as unknown as UnifiedPassthrough).sendUnified(unknown);
    expect(agent.sent).toEqual([unknown]);
    await session.close();
  });
});

describe("commands", () => {
  const CAPABLE = {
    setModel: true,
    permissionModes: ["default", "plan"],
    images: true,
    modes: ["build"],
  } as const;

  async function sentBy(commands: Command[], extension: object = {}) {
    const capabilities = {
      ...CAPABLE,
      permissionModes: [...CAPABLE.permissionModes],
      modes: [...CAPABLE.modes],
    };
    const agent = foreign({ capabilities }, extension);
    const session = await agent.adapter.connect({ sessionId: "s", cwd: "/" });
    for (const command of commands) await session.send(command);
    await session.close();
    return agent.sent;
  }

  test("a prompt is a user_message with the id of the prompt", async () => {
    const [sent] = await sentBy([
      {
        type: "prompt",
        message: "u1",
        parts: [
          { type: "text", text: "Look" },
          { type: "file", url: "data:image/png;base64,AAAA", mediaType: "image/png" },
        ],
      },
    ]);
    expect(sent).toMatchObject({
      id: "u1",
      type: "user_message",
      role: "user",
      content: [{ type: "text", text: "Look" }, { type: "image" }],
    });
  });

  test("a reply is a permission_response", async () => {
    const [sent] = await sentBy([
      { type: "reply", ask: "r1", option: "deny", effect: "reject", message: "No", input: { a: 1 } },
    ]);
    expect(sent).toMatchObject({
      type: "permission_response",
      metadata: { request_id: "r1", behavior: "deny", message: "No", updatedInput: { a: 1 } },
    });
  });

  test("an adapter that offers ACP options gets the optionId that was chosen, not one it would guess", async () => {
    const agent = foreign();
    const session = await agent.adapter.connect({ sessionId: "s", cwd: "/" });
    const outputs = session.messages[Symbol.asyncIterator]();
    const options = [
      { optionId: "proceed_always", name: "Always", kind: "allow_always" },
      { optionId: "cancel", name: "No", kind: "reject_once" },
    ];
    const answerOf = async (request: string, offered: readonly object[], option: string) => {
      agent.say(message("permission_request", { request_id: request, tool_name: "bash", options: offered }));
      for (let isAsked = false; !isAsked; ) {
        const { value } = await outputs.next();
        isAsked = value?.drafts.some((draft: Draft) => draft.type === "ask.opened" && draft.ask === request);
      }
      await session.send({ type: "reply", ask: request, option, effect: "always" });
      return agent.sent.at(-1)?.metadata;
    };
    expect(await answerOf("r1", options, "proceed_always")).toMatchObject({
      behavior: "allow",
      optionId: "proceed_always",
    });
    // What we offer in their place is none of theirs.
    expect(await answerOf("r2", [{ optionId: "x", kind: "odd" }], "allow")).not.toHaveProperty("optionId");
    const ours = [{ id: "allow", label: "Allow", effect: "once" }];
    expect(await answerOf("r3", ours, "allow")).not.toHaveProperty("optionId");
    await session.close();
  });

  test("a change of settings is a configuration_change, or a call where there are methods", async () => {
    const change: Command = { type: "configure", model: "large", permissionMode: "plan" };
    expect(await sentBy([change])).toMatchObject([
      { type: "configuration_change", metadata: { model: "large", permissionMode: "plan" } },
    ]);
    const called: string[] = [];
    const methods = {
      setModel: (model: string) => called.push(model),
      setPermissionMode: (mode: string) => called.push(mode),
    };
    expect(await sentBy([change], methods)).toEqual([]);
    expect(called).toEqual(["large", "plan"]);
  });

  test("an interrupt with nothing to interrupt is dropped", async () => {
    let interrupts = 0;
    const extension = { interrupt: () => (interrupts += 1) };
    expect(await sentBy([{ type: "interrupt" }], extension)).toEqual([]);
    expect(interrupts).toBe(0);
  });

  const WORK_AND_STOP: Command[] = [{ type: "prompt", message: "u", parts: [] }, { type: "interrupt" }];

  test("an adapter that reads the guide's interrupt message is stopped by it", async () => {
    const sent = await sentBy(WORK_AND_STOP);
    expect(sent.map(({ type, role }) => [type, role])).toEqual([
      ["user_message", "user"],
      ["interrupt", "user"],
    ]);
  });

  test("interrupt() is called after the message, also where the message is refused", async () => {
    const told: string[] = [];
    const interrupt = () => told.push("interrupt()");
    const send = ({ type }: UnifiedMessage) => told.push(type);
    await sentBy(WORK_AND_STOP, { interrupt, send });
    expect(told).toEqual(["user_message", "interrupt", "interrupt()"]);
    const refusing = (message: UnifiedMessage) => {
      if (message.type === "interrupt") throw new Error("unknown message");
    };
    await sentBy(WORK_AND_STOP, { interrupt, send: refusing });
    expect(told.slice(3)).toEqual(["interrupt()"]);
    await expect(sentBy(WORK_AND_STOP, { send: refusing })).rejects.toThrow(/refused it: unknown message/);
  });

  test("a message it throws at is refused", async () => {
    const extension = {
      send: () => {
        throw new Error("not now");
      },
    };
    const sending = sentBy([{ type: "prompt", message: "u", parts: [] }], extension);
    await expect(sending).rejects.toThrow("foreign refused it: not now");
  });
});

describe("permissions of adapters with a stream of their own", () => {
  test("are asks, once for each, and answered there", async () => {
    const requests = createMessageChannel<object>();
    const answers: unknown[] = [];
    const agent = foreign(
      {},
      {
        permissionRequests: requests,
        respondToPermission: (id: string, behavior: string) => void answers.push([id, behavior]),
      },
    );
    const run = await startRun({ adapter: agent.adapter, answer: () => ({ option: "allow" }) });
    await run.prompt("hello");
    requests.push({ requestId: "r1", toolName: "bash", input: { command: "ls" }, description: "List files" });
    await until(() => answers.length === 1);
    // Some tell of it both ways.
    agent.say(message("permission_request", { request_id: "r2", tool_name: "bash" }));
    await run.until(() => run.of("ask.opened").length === 2);
    requests.push({ requestId: "r2", toolName: "bash", input: {} });
    await until(() => agent.sent.some(({ type }) => type === "permission_response"));
    agent.say(DONE);
    await run.untilEvent("turn.ended");
    expect(answers).toEqual([["r1", "allow"]]);
    expect(run.of("ask.opened")[0]).toMatchObject({ title: "Use bash?", description: "List files" });
    expect(run.of("ask.opened")).toHaveLength(2);
    expect(checkLog(await run.close(), { complete: true })).toEqual([]);
  });
});

describe("connect", () => {
  const CAPABILITIES = {
    streaming: true,
    permissions: false,
    slashCommands: false,
    availability: "local",
  } as const;
  const connectWith = (connect: () => Promise<unknown>, signal?: AbortSignal) =>
    fromUnifiedAdapter({
      name: "broken",
      capabilities: CAPABILITIES,
      connect: connect as () => Promise<UnifiedSession>,
    }).connect({ sessionId: "s", cwd: "/", signal });

  test.each([
    [() => Promise.reject(new Error("no route to host")), /broken could not be started: no route to host/],
    [() => Promise.reject("a text"), /a text/],
    [() => Promise.resolve(undefined), /gave no session/],
    [() => Promise.resolve({ sessionId: "s", send() {}, close() {} }), /gave no session/],
    [
      () => Promise.resolve({ send() {}, close() {}, messages: { [Symbol.asyncIterator]() {} } }),
      /its session has no sessionId of 1 to 512 characters/,
    ],
  ])("case %#: what is no session is agent_failed", async (connect, reason) => {
    await expect(connectWith(connect)).rejects.toMatchObject({
      code: "agent_failed",
      message: expect.stringMatching(reason),
    });
  });

  test("nobody waits after the signal, and a session that comes late is closed", async () => {
    const late = Promise.withResolvers<unknown>();
    const controller = new AbortController();
    const connecting = connectWith(() => late.promise, controller.signal);
    controller.abort();
    await expect(connecting).rejects.toMatchObject({ code: "agent_failed" });
    let isClosed = false;
    late.resolve({
      close: async () => {
        isClosed = true;
      },
    });
    await until(() => isClosed);
  });
});
