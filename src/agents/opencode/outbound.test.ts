/** What is peculiar about OpenCode's stream, one by one. Whole conversations are in test/recordings. */
import { describe, expect, it } from "vitest";
import { Conversation, SESSION } from "./conversation.test-support.ts";
import { openingStep } from "./inbound/opening.ts";
import { outbound } from "./outbound.ts";

const DONE = { time: { created: 1, completed: 2 } };
const ABORTED = { name: "MessageAbortedError", data: { message: "Aborted" } };

function working(): Conversation {
  const conversation = new Conversation().prompt().busy().step("msg_1");
  conversation.take();
  return conversation;
}

describe("the end of a turn", () => {
  it("is the second idle after a stop: the first comes before the last words", () => {
    const conversation = working().part({ id: "prt_1", type: "text", text: "", time: { start: 1 } });
    conversation
      .request("POST", `/session/${SESSION}/abort`, {}, true)
      .event("session.error", { error: ABORTED })
      .idle();
    expect(conversation.types()).toEqual(["text.start"]);
    conversation.part({ id: "prt_1", type: "text", text: "Last words", time: { start: 1, end: 2 } });
    conversation.step("msg_1", { error: ABORTED, ...DONE }).idle();
    expect(conversation.take().at(-1)).toEqual({ type: "turn.ended", outcome: "interrupted" });
  });

  it("is not an idle of the turn before, which may come after the next prompt", () => {
    expect(new Conversation().prompt().idle().types()).not.toContain("turn.ended");
  });

  it("is not the idle of a sub-agent", () => {
    const conversation = working().tool(
      { status: "running", input: {}, metadata: { sessionId: "ses_child" } },
      "task",
    );
    expect(conversation.event("session.idle", {}, "ses_child").types()).not.toContain("turn.ended");
  });

  it("is not an error: the server may compact the conversation and go on", () => {
    const overflow = { name: "ContextOverflowError", data: { message: "too long" } };
    const conversation = working().event("session.error", { error: overflow });
    expect(conversation.take()).toEqual([]);
    conversation
      .step("msg_1", { ...DONE })
      .step("msg_2")
      .part({ id: "prt_2", type: "step-start" }, "msg_2");
    expect(conversation.types()).toEqual(["step.started"]);
    conversation
      .step("msg_1", { error: overflow, ...DONE })
      .step("msg_2", DONE)
      .idle();
    expect(conversation.take()).toEqual([{ type: "turn.ended", outcome: "completed" }]);
  });

  it("is an error when the compaction after it fails too", () => {
    const overflow = { name: "ContextOverflowError", data: { message: "too long" } };
    const conversation = working().event("session.error", { error: overflow }).step("msg_1", DONE);
    conversation
      .step("msg_2", { summary: true })
      .step("msg_2", { summary: true, error: overflow, ...DONE })
      .idle();
    expect(conversation.take().at(-1)).toMatchObject({ outcome: "limit", error: { code: "context_full" } });
  });

  it("is an error where the server never began, whatever its status code was, and is told once", () => {
    const conversation = new Conversation().prompt();
    conversation.take();
    const error = { name: "UnknownError", data: { message: "Agent not found" } };
    const echo = { name: "UnknownError", data: { message: "UnknownError\n    at run (file.js:1:1)" } };
    conversation.event("session.error", { error });
    expect(conversation.take()).toEqual([
      { type: "turn.ended", outcome: "failed", error: { code: "model_error", message: "Agent not found" } },
    ]);
    conversation.prompt("next").take();
    expect(conversation.event("session.error", { error: echo }).types()).toEqual([]);
  });

  it.each([
    [{ name: "BadRequest", data: { message: "Missing key" } }, "Missing key"],
    [{ _tag: "SessionBusyError", message: "Session is busy" }, "Session is busy"],
  ])("is a refusal of the prompt, in either shape: %j", (answer, message) => {
    const conversation = new Conversation();
    conversation.take();
    conversation.request("POST", `/session/${SESSION}/prompt_async`, {}, answer, 400);
    expect(conversation.take()).toEqual([
      { type: "turn.ended", outcome: "failed", error: { code: "agent_error", message } },
    ]);
  });
});

describe("text", () => {
  it("is empty until it ends, and its end brings what no delta brought", () => {
    const conversation = working().part({ id: "prt_1", type: "text", text: "", time: { start: 1 } });
    conversation.event("message.part.delta", {
      messageID: "msg_1",
      partID: "prt_1",
      field: "text",
      delta: "Hel",
    });
    conversation.part({ id: "prt_1", type: "text", text: "Hello", time: { start: 1, end: 2 } });
    const said = conversation.take().flatMap((draft) => (draft.type === "text.delta" ? [draft.delta] : []));
    expect(said).toEqual(["Hel", "lo"]);
  });

  it("of an attempt that is made again is taken back when the next one begins", () => {
    const conversation = working().part({ id: "prt_a", type: "step-start" });
    conversation.part({ id: "prt_1", type: "text", text: "", time: { start: 1 } });
    conversation.event("session.status", {
      status: { type: "retry", attempt: 1, message: "again", next: 9 },
    });
    expect(conversation.types()).not.toContain("content.discarded");
    conversation.part({ id: "prt_b", type: "step-start" });
    expect(conversation.take()[0]).toMatchObject({
      type: "content.discarded",
      parts: ["prt_1"],
      reason: "retry",
    });
  });
});

describe("tools", () => {
  it("are asked about before their input is known", () => {
    const conversation = working().tool({ status: "pending", input: {} });
    const asked = {
      id: "per_1",
      permission: "bash",
      patterns: ["ls"],
      always: ["ls *"],
      tool: { callID: "call_1" },
    };
    conversation.event("permission.asked", { ...asked, metadata: { command: "ls" } });
    conversation.tool({ status: "running", input: { command: "ls" } });
    expect(conversation.types()).toEqual(["tool.start", "ask.opened", "tool.input", "ask.updated"]);
  });

  it("are asked about with the input as soon as it is known, where the ask tells nothing", () => {
    const conversation = working().tool({ status: "pending", input: {} }, "demo_send");
    const asked = { id: "per_1", permission: "demo_send", patterns: ["*"], always: ["*"], metadata: {} };
    conversation.event("permission.asked", { ...asked, tool: { callID: "call_1" } });
    conversation.tool({ status: "running", input: { to: "all" } }, "demo_send");
    expect(conversation.take()).toMatchObject([
      { type: "tool.start" },
      { type: "ask.opened", detail: { permission: "demo_send", patterns: ["*"] } },
      { type: "tool.input", input: { to: "all" } },
      { type: "ask.updated", ask: "per_1", detail: { to: "all" } },
    ]);
  });

  it("are not told of again when the input came before the ask", () => {
    const conversation = working().tool({ status: "running", input: { command: "ls" } });
    const asked = { id: "per_1", permission: "bash", patterns: ["ls"], always: [], metadata: {} };
    conversation.event("permission.asked", { ...asked, tool: { callID: "call_1" } });
    conversation.tool({ status: "running", input: { command: "ls" }, title: "List" });
    expect(conversation.types()).not.toContain("ask.updated");
  });

  it("that do not exist keep their name and fail", () => {
    const conversation = working().tool({ status: "pending", input: {} }, "frobnicate");
    const input = { tool: "frobnicate", error: "there is no such tool" };
    conversation.tool({ status: "completed", input, output: "invalid" }, "invalid");
    expect(conversation.take()).toEqual([
      { type: "tool.start", call: "call_1", name: "frobnicate" },
      { type: "tool.failed", call: "call_1", error: "there is no such tool" },
    ]);
  });
});

describe("after frames were missed", () => {
  const user = { info: { id: "msg_user_Go", role: "user", sessionID: SESSION }, parts: [] };
  const lost = (conversation: Conversation) => {
    conversation.server({ closed: "lost" }).server({ payload: { type: "server.connected", properties: {} } });
    conversation.take();
    return conversation;
  };
  const stored = (parts: object[], end: object = {}) => ({
    info: {
      id: "msg_1",
      role: "assistant",
      sessionID: SESSION,
      parentID: "msg_user_Go",
      providerID: "p",
      modelID: "m",
      time: { created: 1 },
      ...end,
    },
    parts: parts.map((part) => ({ messageID: "msg_1", sessionID: SESSION, ...part })),
  });

  it("what the server has stored is told, and nothing twice", () => {
    const conversation = lost(working().part({ id: "prt_a", type: "step-start" }));
    const done = { id: "prt_1", type: "text", text: "All of it", time: { start: 1, end: 2 } };
    const messages = [user, stored([{ id: "prt_a", type: "step-start" }, done], DONE)];
    conversation.request("GET", `/session/${SESSION}/message`, undefined, messages);
    expect(conversation.types()).toEqual(["text.start", "text.delta", "text.end"]);
    conversation.part(done);
    expect(conversation.take()).toEqual([]);
    conversation.request("GET", "/session/status", undefined, {});
    expect(conversation.take()).toEqual([{ type: "turn.ended", outcome: "completed" }]);
  });

  it("an ask that waits is opened, and one about a call that is settled is not", () => {
    const conversation = lost(working().tool({ status: "running", input: {} }));
    const ask = (callID: string) => ({
      id: `per_${callID}`,
      sessionID: SESSION,
      permission: "bash",
      patterns: [],
      always: [],
      tool: { callID },
    });
    conversation.request("GET", "/permission", undefined, [ask("call_0"), ask("call_1")]);
    expect(conversation.take()).toMatchObject([{ type: "ask.opened", ask: "per_call_1" }]);
  });

  it("messages of earlier turns stay where they are", () => {
    const conversation = lost(working().step("msg_1", DONE).idle().prompt("next").busy());
    conversation.request("GET", `/session/${SESSION}/message`, undefined, [
      user,
      stored([{ id: "prt_9", type: "text", text: "Old", time: { start: 1, end: 2 } }], DONE),
    ]);
    expect(conversation.take()).toEqual([]);
  });
});

it("hears of another client's answer, and that ours came too late", () => {
  const conversation = working();
  conversation.event("permission.replied", { requestID: "per_1", reply: "once" });
  expect(conversation.types()).toEqual(["ask.answered", "ask.closed"]);
  conversation.request(
    "POST",
    "/permission/per_2/reply",
    { reply: "once" },
    { _tag: "PermissionNotFoundError" },
    404,
  );
  expect(conversation.take()).toEqual([
    { type: "ask.closed", ask: "per_2", outcome: "answered", delivered: false },
  ]);
});

describe("a session that is taken up", () => {
  const connect = { sessionId: "s", cwd: "/", resume: true, agentSessionId: SESSION };

  function refused(status: number, answer: object) {
    const path = `/session/${SESSION}`;
    const lines = [
      ["out", { id: 1, method: "GET", path }],
      ["in", { id: 1, status, body: answer }],
    ] as const;
    const state = lines.reduce(
      (state, [direction, msg]) =>
        outbound.translate(state, { direction, data: JSON.stringify({ kind: "http", msg }) })[0],
      outbound.initial,
    );
    return openingStep(state, connect);
  }

  it("is lost where the server does not find it", () => {
    const answer = { name: "NotFoundError", data: { message: `Session not found: ${SESSION}` } };
    expect(refused(404, answer)).toEqual({
      step: "failed",
      reason: `Session not found: ${SESSION}`,
      code: "conversation_lost",
    });
  });

  it("is kept where the server could not look", () => {
    expect(refused(500, { data: { message: "database is locked" } })).toEqual({
      step: "failed",
      reason: "database is locked",
    });
  });
});

it("keeps what it does not know", () => {
  expect(working().event("session.levitated").take()).toEqual([
    { type: "agent.unknown", native: "session.levitated" },
  ]);
});
