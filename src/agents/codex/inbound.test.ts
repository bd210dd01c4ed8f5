import { describe, expect, it } from "vitest";
import type { Command } from "../../core/command.ts";
import { Conversation, command, THREAD, told } from "./conversation.test-support.ts";
import { decodeCommands } from "./decode-commands.ts";

const methods = (sent: readonly Record<string, unknown>[]) => sent.map(({ method }) => method);

describe("opening", () => {
  it("starts a thread with what the session wants, and no sandbox that would write trust", () => {
    const conversation = new Conversation({
      model: "gpt-5.5",
      permissionMode: "acceptEdits",
      mcpServers: { echo: { command: "echo-mcp" } },
      adapterOptions: { effort: "high", config: { "tools.update_plan.enabled": true } },
    });
    expect(conversation.open()).toBe("send");
    expect(conversation.sent).toEqual([
      {
        jsonrpc: "2.0",
        id: "s1:1",
        method: "thread/start",
        params: {
          cwd: "/home/dev/project",
          model: "gpt-5.5",
          approvalPolicy: "on-request",
          permissions: ":workspace",
          config: {
            "tools.update_plan.enabled": true,
            model_reasoning_effort: "high",
            "mcp_servers.echo": { command: "echo-mcp", args: [] },
          },
        },
      },
    ]);
    expect(conversation.open()).toBe("wait");
    conversation.answer({ thread: { id: THREAD } });
    expect(conversation.open()).toBe("send");
    expect(conversation.sent.at(-1)).toMatchObject({ method: "model/list" });
    // Its answer is not waited for.
    expect(conversation.open()).toBe("ready");
  });

  it("takes up a thread, and puts it into its mode", () => {
    const conversation = new Conversation({ resume: true, agentSessionId: THREAD, mode: "plan" });
    conversation.open();
    expect(conversation.sent[0]).toMatchObject({
      method: "thread/resume",
      params: { threadId: THREAD, excludeTurns: true },
    });
    conversation.answer({ thread: { id: THREAD }, model: "gpt-5.5", collaborationMode: { mode: "default" } });
    conversation.open();
    expect(conversation.open()).toBe("send");
    expect(conversation.sent.at(-1)).toMatchObject({
      method: "thread/settings/update",
      params: { collaborationMode: { mode: "plan", settings: { model: "gpt-5.5" } } },
    });
    expect(conversation.open()).toBe("wait");
    conversation.answer({});
    expect(conversation.open()).toBe("ready");
  });

  it("fails with what Codex says", () => {
    const conversation = new Conversation();
    conversation.open();
    conversation.hear({ id: "s1:1", error: { code: -32600, message: "no" } });
    expect(conversation.open()).toBe("failed");
  });
});

describe("the effort", () => {
  const EFFORTS = [{ reasoningEffort: "low" }, { reasoningEffort: "high" }];
  const LIST = { data: [{ model: "gpt-5.5", supportedReasoningEfforts: EFFORTS }] };

  function opened() {
    const conversation = new Conversation();
    conversation.open();
    conversation.answer({ thread: { id: THREAD }, model: "gpt-5.5" });
    conversation.open();
    return conversation;
  }

  it("is a setting from the beginning, and its choices are told when Codex lists its models", () => {
    const conversation = opened();
    expect(conversation.drafts.at(-1)).toMatchObject({ settings: [{ id: "effort", value: "default" }] });
    conversation.answer(LIST);
    expect(conversation.drafts.at(-1)).toMatchObject({
      type: "session.updated",
      models: [{ id: "gpt-5.5" }],
      settings: [
        { id: "effort", value: "default", choices: [{ id: "default" }, { id: "low" }, { id: "high" }] },
      ],
    });
  });

  it("is chosen among those of the model, when these are known", () => {
    const conversation = opened();
    const choose = (effort: string) => ({ type: "configure", settings: { effort } }) as const;
    expect(conversation.holds(choose("low"))).toBe(true);
    conversation.answer(LIST);
    expect(conversation.holds(choose("low"))).toBe(false);
    expect(() => conversation.send(choose("enormous"))).toThrow("default, low, high");
    expect(conversation.send(choose("low"))).toMatchObject([
      { method: "thread/settings/update", params: { threadId: THREAD, effort: "low" } },
    ]);
  });

  it("is left to the model again by a mode without one", () => {
    const conversation = opened();
    conversation.answer(LIST);
    conversation.hear(
      told("thread/settings/updated", { threadSettings: { model: "gpt-5.5", effort: "low" } }),
    );
    expect(conversation.send({ type: "configure", mode: "plan" })).toMatchObject([
      { params: { collaborationMode: { mode: "plan", settings: { reasoning_effort: "low" } } } },
    ]);
    expect(conversation.send({ type: "configure", settings: { effort: "default" } })).toMatchObject([
      { params: { collaborationMode: { mode: "default", settings: { reasoning_effort: null } } } },
    ]);
  });
});

describe("stopping", () => {
  it("waits for the turn to have begun", () => {
    const conversation = Conversation.opened();
    expect(conversation.holds({ type: "interrupt" })).toBe(false);
    conversation.send({ type: "prompt", message: "m1", parts: [{ type: "text", text: "go" }] });
    expect(conversation.holds({ type: "interrupt" })).toBe(true);
    conversation.answer({ turn: { id: "t1" } });
    expect(conversation.holds({ type: "interrupt" })).toBe(true);
    conversation.hear(told("turn/started", { turn: { id: "t1" } }));
    expect(conversation.holds({ type: "interrupt" })).toBe(false);
    expect(conversation.send({ type: "interrupt" })).toMatchObject([
      { method: "turn/interrupt", params: { threadId: THREAD, turnId: "t1" } },
    ]);
  });

  it("ends the turn's commands, also one whose process has to be looked up, and no others", () => {
    const conversation = Conversation.running();
    conversation.hear(command("known", "11"));
    conversation.hear(command("approved", null));
    conversation.sent = [];
    conversation.hear(told("turn/completed", { turn: { id: "t1", status: "interrupted" } }));
    expect(conversation.sent).toMatchObject([
      { method: "thread/backgroundTerminals/terminate", params: { processId: "11" } },
      { method: "thread/backgroundTerminals/list" },
    ]);
    conversation.sent = [];
    conversation.answer({
      data: [
        { itemId: "approved", processId: "12" },
        { itemId: "of-an-earlier-turn", processId: "3" },
      ],
    });
    expect(conversation.sent).toMatchObject([
      { method: "thread/backgroundTerminals/terminate", params: { processId: "12" } },
    ]);
    conversation.sent = [];
    conversation.hear(told("thread/status/changed", {}));
    expect(conversation.sent).toEqual([]);
  });

  it("ends one command in the background, also one whose process has to be looked up, and a sub-agent", () => {
    const conversation = Conversation.running();
    conversation.hear(command("known", "11"));
    conversation.hear(command("approved", null));
    conversation.hear(told("turn/completed", { turn: { id: "t1", status: "completed" } }));
    conversation.sent = [];
    conversation.send({ type: "stopTask", task: "known" });
    expect(conversation.sent).toMatchObject([
      { method: "thread/backgroundTerminals/terminate", params: { threadId: THREAD, processId: "11" } },
    ]);
    conversation.sent = [];
    conversation.send({ type: "stopTask", task: "approved" });
    conversation.hear(told("thread/status/changed", {}));
    expect(methods(conversation.sent)).toEqual(["thread/backgroundTerminals/list"]);
    conversation.sent = [];
    conversation.answer({
      data: [
        { itemId: "approved", processId: "12" },
        { itemId: "known", processId: "11" },
      ],
    });
    expect(conversation.sent).toMatchObject([
      { method: "thread/backgroundTerminals/terminate", params: { processId: "12" } },
    ]);
    conversation.sent = [];
    conversation.send({ type: "stopTask", task: "over" });
    expect(conversation.sent).toEqual([]);
  });

  it.each([
    ["interrupted", "stopped"],
    ["completed", "failed"],
  ])("of a turn that was %s: a command that is killed then has %s", (status, outcome) => {
    const conversation = Conversation.running();
    conversation.hear(command("loop", "11"));
    conversation.hear(told("turn/completed", { turn: { id: "t1", status } }));
    const item = { id: "loop", type: "commandExecution", command: "loop", status: "failed", exitCode: 143 };
    conversation.hear(told("item/completed", { turnId: "t1", item }));
    expect(conversation.drafts).toContainEqual(expect.objectContaining({ type: "task.ended", outcome }));
  });

  it("leaves commands alone when a turn ends by itself", () => {
    const conversation = Conversation.running();
    conversation.hear(command("server", "11"));
    conversation.sent = [];
    conversation.hear(told("turn/completed", { turn: { id: "t1", status: "completed" } }));
    expect(conversation.sent).toEqual([]);
  });
});

describe("steering", () => {
  const steer: Command = {
    type: "prompt",
    message: "m2",
    parts: [{ type: "text", text: "left" }],
    steer: true,
  };

  it("names the turn it is meant for", () => {
    expect(Conversation.running().send(steer)).toMatchObject([
      { method: "turn/steer", params: { expectedTurnId: "t1", clientUserMessageId: "m2" } },
    ]);
  });

  it("is refused when the turn is over, so that the prompt waits again", () => {
    expect(() => Conversation.opened().send(steer)).toThrow("The turn has ended");
  });
});

describe("requests of Codex", () => {
  it("that nobody here can answer are refused at once, and once", () => {
    const conversation = Conversation.running();
    conversation.sent = [];
    conversation.hear({ id: 0, method: "item/tool/call", params: { threadId: THREAD, tool: "x" } });
    expect(conversation.sent).toMatchObject([
      { id: 0, error: { message: expect.stringContaining("item/tool/call") } },
    ]);
    conversation.hear(told("thread/status/changed", {}));
    expect(conversation.sent).toHaveLength(1);
  });

  it.each([
    [{ option: "accept" }, "accept"],
    [{ effect: "once" }, "accept"],
    [{ effect: "reject" }, "decline"],
    [{ option: "cancel" }, "cancel"],
    [
      { option: "acceptWithExecpolicyAmendment" },
      { acceptWithExecpolicyAmendment: { execpolicy_amendment: ["touch"] } },
    ],
  ] as const)("are answered: %j", (answer, decision) => {
    const conversation = Conversation.running();
    const params = {
      threadId: THREAD,
      itemId: "c",
      command: "touch a",
      proposedExecpolicyAmendment: ["touch"],
    };
    conversation.hear({ id: 0, method: "item/commandExecution/requestApproval", params });
    expect(conversation.send({ type: "reply", ask: "0", ...answer })).toEqual([
      { jsonrpc: "2.0", id: 0, result: { decision } },
    ]);
    expect(() => conversation.send({ type: "reply", ask: "0", option: "accept" })).toThrow("does not wait");
  });

  it("take words of a person before the answer, so that the next request to the model has them", () => {
    const conversation = Conversation.running();
    const params = { threadId: THREAD, turnId: "t1", itemId: "c1", command: "touch a" };
    conversation.hear({ id: 0, method: "item/commandExecution/requestApproval", params });
    expect(
      conversation.send({ type: "reply", ask: "0", effect: "reject", message: "not here" }),
    ).toMatchObject([
      { method: "turn/steer", params: { input: [{ text: "not here" }] } },
      { id: 0, result: { decision: "decline" } },
    ]);
  });
});

describe("rewinding", () => {
  const rewind = (before: string): Command => ({ type: "rewind", before });

  it("goes back before the turn the message began; prompts wait for that", () => {
    const conversation = Conversation.running();
    conversation.hear(told("turn/completed", { turn: { id: "t1", status: "completed" } }));
    expect(conversation.send(rewind("m1"))).toMatchObject([
      { method: "thread/revert", params: { threadId: THREAD, beforeTurnId: "t1" } },
    ]);
    const prompt: Command = { type: "prompt", message: "m2", parts: [] };
    expect(conversation.holds(prompt)).toBe(true);
    conversation.answer({ thread: { id: THREAD } });
    expect(conversation.holds(prompt)).toBe(false);
  });

  it("looks for a turn of an earlier process in Codex's history, page by page", () => {
    const conversation = Conversation.opened();
    const turn = (id: string, clientId: string) => ({
      id,
      items: [{ type: "userMessage", id: `u-${id}`, clientId }],
    });
    expect(methods(conversation.send(rewind("old:1")))).toEqual(["thread/turns/list"]);
    conversation.sent = [];
    conversation.answer({ data: [turn("t9", "new")], nextCursor: "more" });
    expect(conversation.sent).toMatchObject([{ method: "thread/turns/list", params: { cursor: "more" } }]);
    conversation.sent = [];
    conversation.answer({ data: [turn("t2", "old:1")], nextCursor: null });
    expect(conversation.sent).toMatchObject([{ method: "thread/revert", params: { beforeTurnId: "t2" } }]);
  });

  it("tells when Codex does not know the message", () => {
    const conversation = Conversation.opened();
    conversation.send(rewind("nowhere"));
    conversation.answer({ data: [], nextCursor: null });
    expect(conversation.drafts.at(-1)).toMatchObject({ type: "notice", code: "rewind" });
  });
});

describe("shutting down", () => {
  it("stops what runs, and waits until Codex has let go", () => {
    const conversation = Conversation.running();
    conversation.hear(command("c", "11"));
    expect(conversation.shutDown()).toBe("send");
    expect(methods(conversation.sent)).toEqual([
      "turn/interrupt",
      "thread/backgroundTerminals/clean",
      "thread/unsubscribe",
    ]);
    expect(conversation.shutDown()).toBe("wait");
    conversation.answer({ status: "unsubscribed" });
    expect(conversation.shutDown()).toBe("done");
  });

  it("says little when nothing runs, and nothing when nothing was opened", () => {
    const idle = Conversation.opened();
    idle.shutDown();
    expect(methods(idle.sent)).toEqual(["thread/unsubscribe"]);
    expect(new Conversation().shutDown()).toBe("done");
  });
});

it.each<Command>([
  { type: "prompt", message: "m1", parts: [{ type: "text", text: "hello" }] },
  {
    type: "prompt",
    message: "m1",
    parts: [
      { type: "text", text: "look" },
      { type: "file", url: "data:image/png;base64,iVBORw0KGgo=", mediaType: "image/png" },
    ],
  },
  { type: "configure", model: "gpt-5.4" },
  { type: "configure", mode: "plan" },
  { type: "configure", permissionMode: "bypass" },
  { type: "configure", permissionMode: "plan", model: "gpt-5.4" },
])("what was sent is decoded: %j", (given) => {
  const conversation = Conversation.opened();
  const { state } = conversation;
  const [line] = conversation.send(given);
  expect(decodeCommands(state, { direction: "out", data: JSON.stringify(line) })).toEqual([given]);
});

it.each([
  ["a message that is too long", [{ type: "text" as const, text: "x".repeat(1_048_577) }]],
  [
    "a file that is no image",
    [{ type: "file" as const, url: "data:application/pdf;base64,AA==", mediaType: "application/pdf" }],
  ],
])("%s is refused with what to do", (_, parts) => {
  expect(() => Conversation.opened().send({ type: "prompt", message: "m", parts })).toThrow(/Save the/);
});
