import { describe, expect, it } from "vitest";
import type { CommandOf } from "../../core/command.ts";
import type { PromptPart } from "../../core/prompt-part.ts";
import { Conversation, mayUse } from "./conversation.test-support.ts";
import { INITIAL_STATE } from "./conversation-state.ts";
import { createInbound } from "./inbound.ts";

const inbound = createInbound({});

function content(...parts: PromptPart[]): unknown {
  const conversation = new Conversation();
  conversation.say({ type: "prompt", message: "m", parts });
  return (conversation.sent[0]!.message as { content: unknown }).content;
}

const file = (mediaType: string, url: string, filename?: string): PromptPart => ({
  type: "file",
  mediaType,
  url,
  ...(filename && { filename }),
});

describe("opening", () => {
  it("introduces itself without a system prompt, and asks for its settings when that was answered", () => {
    const conversation = new Conversation();
    const first = inbound.open(conversation.state);
    expect(first).toEqual({
      step: "send",
      lines: [
        '{"type":"control_request","request_id":"r1","request":{"subtype":"initialize","forwardSubagentText":true}}',
      ],
    });
    if (first.step === "send") conversation.write(first.lines);
    expect(inbound.open(conversation.state)).toEqual({ step: "wait" });
    const response = { subtype: "success", request_id: "r1", response: { models: [{ value: "opus" }] } };
    expect(conversation.hear({ type: "control_response", response })).toMatchObject([
      { type: "session.attached", models: [{ id: "opus" }] },
    ]);
    expect(inbound.open(conversation.state)).toEqual({
      step: "send",
      lines: ['{"type":"control_request","request_id":"r2","request":{"subtype":"get_settings"}}'],
    });
  });

  it("fails with what it was told", () => {
    const conversation = new Conversation();
    conversation.write([
      '{"type":"control_request","request_id":"r1","request":{"subtype":"initialize","forwardSubagentText":true}}',
    ]);
    const response = { subtype: "error", request_id: "r1", error: "no" };
    conversation.hear({ type: "control_response", response });
    expect(inbound.open(conversation.state)).toEqual({ step: "failed", reason: "no" });
  });

  it("fails with the error of a conversation that is not there", () => {
    const conversation = new Conversation();
    conversation.write([
      '{"type":"control_request","request_id":"r1","request":{"subtype":"initialize","forwardSubagentText":true}}',
    ]);
    const errors = ["No conversation found with session ID: x"];
    conversation.hear({ type: "result", subtype: "error_during_execution", is_error: true, errors });
    expect(inbound.open(conversation.state)).toEqual({ step: "failed", reason: errors[0] });
  });
});

describe("words with an answer", () => {
  it("follow a yes as something said in the running turn, and are no prompt of anybody", () => {
    const conversation = new Conversation();
    conversation.prompt("m1", { text: "Go" });
    conversation.hear(mayUse({}, "ask"));
    conversation.say({ type: "reply", ask: "ask", option: "allow", message: "but be careful" });
    const words = conversation.sent.at(-1) as { uuid: string; message: unknown };
    expect(words.message).toEqual({ role: "user", content: "but be careful" });
    const heard = conversation.hear({
      type: "user",
      message: words.message,
      uuid: words.uuid,
      isReplay: true,
      parent_tool_use_id: null,
    });
    expect(heard).toEqual([]);
    const sent = conversation.sent.length;
    conversation.hear(mayUse({}, "another"));
    conversation.say({ type: "reply", ask: "another", option: "deny", message: "no" });
    expect(conversation.sent).toHaveLength(sent + 1);
  });
});

describe("prompts", () => {
  it("are a text, with an id of Claude Code's kind and ours beside it", () => {
    const conversation = new Conversation();
    const uuid = conversation.prompt("m1", { text: "/cost" });
    expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(conversation.sent[0]).toEqual({
      type: "user",
      message: { role: "user", content: "/cost" },
      parent_tool_use_id: null,
      session_id: "",
      uuid,
      interlingua: { message: "m1", steer: false },
    });
  });

  it("have their text last, where it looks for commands and mentions", () => {
    const picture = file("image/png", "data:image/png;base64,AAAA");
    const text: PromptPart = { type: "text", text: "What is it?" };
    expect(content(text, picture, file("text/plain", "file:///home/dev/a%20b.txt"))).toEqual([
      { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
      { type: "text", text: 'What is it?\n@"/home/dev/a b.txt"' },
    ]);
    expect(content(picture)).toHaveLength(1);
  });

  it("take texts and PDF files as documents, by their content or their address", () => {
    expect(
      content(
        file("text/csv", "data:text/csv,a%2Cb", "t.csv"),
        file("application/pdf", "data:application/pdf;base64,JVBERg==", "p.pdf"),
        file("application/pdf", "https://example.com/q.pdf"),
        file("image/webp", "https://example.com/i.webp"),
      ),
    ).toEqual([
      { type: "document", source: { type: "text", media_type: "text/plain", data: "a,b" }, title: "t.csv" },
      {
        type: "document",
        source: { type: "base64", media_type: "application/pdf", data: "JVBERg==" },
        title: "p.pdf",
      },
      { type: "document", source: { type: "url", url: "https://example.com/q.pdf" } },
      { type: "image", source: { type: "url", url: "https://example.com/i.webp" } },
    ]);
  });

  it.each([
    ["audio/mp3", "data:audio/mp3;base64,AA", "pictures (image/png"],
    ["text/plain", "https://example.com/t.txt", "Only pictures and PDF"],
    ["image/png", "blob:1", "as a data, file or http address"],
  ])("refuse %s at %s and say what can be taken", (mediaType, url, remedy) => {
    expect(() => content(file(mediaType, url, "x"))).toThrow(remedy);
  });
});

describe("replies", () => {
  const rule = { type: "addRules", rules: [{ toolName: "Bash" }], behavior: "allow", destination: "session" };
  const mode = { type: "setMode", mode: "acceptEdits", destination: "session" };
  const input = { command: "ls" };

  function reply(request: object, answer: Omit<CommandOf<"reply">, "type" | "ask">): unknown {
    const conversation = new Conversation();
    conversation.hear(mayUse(request));
    conversation.say({ type: "reply", ask: "ask", ...answer });
    expect(conversation.state.asks.size).toBe(0);
    return (conversation.sent[0]!.response as { response: unknown }).response;
  }

  it.each([
    [{ option: "allow" }, { behavior: "allow", updatedInput: input }],
    [{ effect: "once" as const }, { behavior: "allow", updatedInput: input }],
    [
      { option: "allow", input: { command: "pwd" } },
      { behavior: "allow", updatedInput: { command: "pwd" } },
    ],
    [{ option: "suggestion-1" }, { behavior: "allow", updatedInput: input, updatedPermissions: [mode] }],
    [{ effect: "always" as const }, { behavior: "allow", updatedInput: input, updatedPermissions: [rule] }],
    [
      { option: "deny", message: "not here" },
      { behavior: "deny", message: "not here" },
    ],
    [{ effect: "reject" as const }, { behavior: "deny", message: "The user declined this." }],
    [{ option: "deny-stop" }, { behavior: "deny", message: "The user declined this.", interrupt: true }],
  ])("to a permission: %o", (answer, expected) => {
    expect(reply({ permission_suggestions: [rule, mode] }, answer)).toEqual(expected);
  });

  it("that were not offered are refused", () => {
    expect(() => reply({}, { option: "suggestion-0" })).toThrow("did not offer");
    expect(() => inbound.encode(INITIAL_STATE, { type: "reply", ask: "gone", option: "allow" })).toThrow(
      "does not wait",
    );
  });

  it("to questions name them by their text", () => {
    const questions = [{ question: "Which?", multiSelect: true }, { question: "Why?" }];
    const asked = { tool_name: "AskUserQuestion", input: { questions } };
    expect(reply(asked, { answers: { q1: ["npm", "pnpm"], q2: ["because"] } })).toEqual({
      behavior: "allow",
      updatedInput: { questions, answers: { "Which?": "npm, pnpm", "Why?": "because" } },
    });
    expect(reply(asked, { option: "reject" })).toMatchObject({ behavior: "deny" });
  });

  it("to a plan approve it, approve it with edits, or say what to change", () => {
    const asked = { tool_name: "ExitPlanMode", input: { plan: "p" } };
    const approved = { behavior: "allow", updatedInput: { plan: "p" } };
    expect(reply(asked, { option: "approve" })).toEqual(approved);
    expect(reply(asked, { option: "approve-accept-edits" })).toEqual({
      ...approved,
      updatedPermissions: [mode],
    });
    expect(reply(asked, { option: "reject", message: "smaller" })).toEqual({
      behavior: "deny",
      message: "smaller",
    });
  });

  it("to an MCP server have the types of its form", () => {
    const request = {
      subtype: "elicitation",
      mcp_server_name: "demo",
      message: "Where?",
      requested_schema: {
        properties: {
          count: { type: "integer" },
          sure: { type: "boolean" },
          names: { type: "array", items: { enum: ["a", "b"] } },
          note: { type: "string" },
        },
        required: ["count"],
      },
    };
    const answer = (given: Omit<CommandOf<"reply">, "type" | "ask">) => {
      const conversation = new Conversation();
      conversation.hear({ type: "control_request", request_id: "ask", request });
      conversation.say({ type: "reply", ask: "ask", ...given });
      return (conversation.sent[0]!.response as { response: unknown }).response;
    };
    expect(answer({ answers: { count: ["3"], sure: ["true"], names: ["a", "b"], note: [] } })).toEqual({
      action: "accept",
      content: { count: 3, sure: true, names: ["a", "b"] },
    });
    expect(answer({ effect: "reject" })).toEqual({ action: "decline" });
    expect(answer({ option: "cancel" })).toEqual({ action: "cancel" });
  });
});

const EFFORT = [{ id: "effort", name: "Effort", value: "medium" }];

describe("settings", () => {
  it("are a request each, numbered on", () => {
    const conversation = new Conversation();
    const settings = { effort: "high" };
    conversation.state = { ...conversation.state, settings: EFFORT };
    conversation.say({ type: "configure", model: "haiku", permissionMode: "bypass", settings });
    expect(conversation.sent.map(({ request_id: id, request }) => [id, request])).toEqual([
      ["r1", { subtype: "set_model", model: "haiku" }],
      ["r2", { subtype: "set_permission_mode", mode: "bypassPermissions" }],
      ["r3", { subtype: "apply_flag_settings", settings: { effortLevel: "high" } }],
      ["r4", { subtype: "get_settings" }],
    ]);
  });

  it("that a change was refused is told, and nothing is said to be in force", () => {
    const conversation = new Conversation();
    conversation.hear({ type: "system", subtype: "status", status: null, permissionMode: "plan" });
    conversation.say({ type: "configure", permissionMode: "bypass" });
    const response = { subtype: "error", request_id: "r1", error: "not launched like that" };
    expect(conversation.hear({ type: "control_response", response })).toEqual([
      { type: "notice", level: "warning", code: "configure", text: "not launched like that" },
    ]);
  });

  it("that a change was taken is told, also by a version that does not repeat it", () => {
    const conversation = new Conversation();
    conversation.say({ type: "configure", model: "haiku", permissionMode: "plan" });
    const answer = (id: string) => ({ subtype: "success", request_id: id, response: {} });
    expect(
      ["r1", "r2"].flatMap((id) => conversation.hear({ type: "control_response", response: answer(id) })),
    ).toEqual([
      { type: "session.updated", model: "haiku" },
      { type: "session.updated", mode: "plan", permissionMode: "plan" },
    ]);
  });

  it("what is in force after a change is what it tells, with the efforts of its model", () => {
    const conversation = new Conversation();
    const model = { value: "fast", resolvedModel: "model-1", supportedEffortLevels: ["low", "high"] };
    const answer = (id: string, response: object) =>
      conversation.hear({
        type: "control_response",
        response: { subtype: "success", request_id: id, response },
      });
    conversation.state = { ...conversation.state, models: [model], settings: EFFORT };
    conversation.say({ type: "configure", settings: { effort: "low" } });
    answer("r1", {});
    expect(inbound.unansweredChanges?.(conversation.state)).toEqual(["r2"]);
    expect(answer("r2", { applied: { model: "model-1", effort: "high" } })).toMatchObject([
      { settings: [{ id: "effort", value: "high", choices: [{ id: "low" }, { id: "high" }] }] },
    ]);
    expect(inbound.unansweredChanges?.(conversation.state)).toEqual([]);
    expect(() => conversation.say({ type: "configure", settings: { effort: "max" } })).toThrow("low, high");
  });

  it("an effort that comes with another model is one of that model's", () => {
    const conversation = new Conversation();
    const models = [{ value: "deep", supportedEffortLevels: ["low", "max"] }];
    // The present model makes no effort.
    conversation.state = { ...conversation.state, models, settings: [] };
    const configure = (effort: string) =>
      conversation.say({ type: "configure", model: "deep", settings: { effort } });
    expect(() => configure("high")).toThrow("low, max");
    configure("max");
    expect(conversation.sent.map(({ request }) => request)).toEqual([
      { subtype: "set_model", model: "deep" },
      { subtype: "apply_flag_settings", settings: { effortLevel: "max" } },
      { subtype: "get_settings" },
    ]);
  });

  it.each([
    ["build", "default"],
    ["plan", "plan"],
  ])("the mode %s is the permission mode %s", (mode, native) => {
    const [line] = inbound.encode(INITIAL_STATE, { type: "configure", mode });
    expect(JSON.parse(line!)).toMatchObject({ request: { subtype: "set_permission_mode", mode: native } });
  });

  it.each([
    [{ type: "configure", mode: "plan", permissionMode: "bypass" }, "leave out one of them"],
    [{ type: "configure", mode: "build", permissionMode: "plan" }, "leave out one of them"],
    [{ type: "configure", permissionMode: "yolo" }, "default, plan, acceptEdits, bypass"],
    [{ type: "configure", settings: { speed: "3" } }, "It has: effort"],
    [{ type: "configure", settings: { effort: "3" } }, "low, medium, high, xhigh, max"],
    [{ type: "rewind", before: "m" }, "begins as a copy"],
  ] as const)("%o is refused", (command, remedy) => {
    expect(() => inbound.encode(INITIAL_STATE, command)).toThrow(remedy);
  });
});

it("declines once what it does not understand, so that Claude Code does not wait", () => {
  const conversation = new Conversation();
  const request = { subtype: "hook_callback", callback_id: "h" };
  expect(conversation.hear({ type: "control_request", request_id: "x", request })).toEqual([
    { type: "agent.unknown", native: "control_request/hook_callback" },
  ]);
  const lines = inbound.answer?.(conversation.state) ?? [];
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    {
      type: "control_response",
      response: {
        subtype: "error",
        request_id: "x",
        error: "This client does not support hook_callback.",
      },
    },
  ]);
  conversation.write(lines);
  expect(inbound.answer?.(conversation.state)).toEqual([]);
});

it("declines a question that is not shaped as its kind says", () => {
  const conversation = new Conversation();
  const drafts = conversation.hear(mayUse({ tool_name: "AskUserQuestion", input: { questions: [null] } }));
  expect(drafts).toMatchObject([{ type: "agent.unknown", native: "control_request" }]);
  const lines = inbound.answer?.(conversation.state) ?? [];
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { response: { subtype: "error", request_id: "ask", error: expect.stringContaining("does not support") } },
  ]);
  conversation.write(lines);
  expect(inbound.answer?.(conversation.state)).toEqual([]);
});
