import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Command } from "../../core/command.ts";
import { inMode } from "../transport/shared-modes.ts";
import { Conversation, mayUse } from "./conversation.test-support.ts";
import { INITIAL_STATE } from "./conversation-state.ts";
import { decodeCommands } from "./decode-commands.ts";
import { createInbound } from "./inbound.ts";

const inbound = createInbound({});

/** What is decoded of a command from the lines that were made of it. */
function decoded(conversation: Conversation, command: Command): Command[] {
  return inbound
    .encode(conversation.state, command)
    .flatMap((data) => decodeCommands(conversation.state, { direction: "out", data }));
}

/** A conversation with one ask of each kind open. */
function asking(): Conversation {
  const conversation = new Conversation();
  const mode = { type: "setMode", mode: "acceptEdits", destination: "session" };
  const rule = { type: "addRules", rules: [], behavior: "allow", destination: "localSettings" };
  const questions = [{ question: "Which?" }, { question: "Why?" }];
  conversation.hear(
    mayUse({ permission_suggestions: [rule, mode] }, "permission"),
    mayUse({ tool_name: "AskUserQuestion", input: { questions } }, "question"),
    mayUse({ tool_name: "ExitPlanMode", input: {} }, "plan"),
  );
  return conversation;
}

const text = fc.string({ minLength: 1 });

const part = fc.oneof(
  text.map((value) => ({ type: "text" as const, text: value })),
  fc.record(
    {
      type: fc.constant("file" as const),
      url: fc.constantFrom("data:image/png;base64,AAAA", "file:///home/dev/a%20b.md"),
      mediaType: fc.constant("image/png"),
      filename: text,
    },
    { requiredKeys: ["type", "url", "mediaType"] },
  ),
);

const commands: fc.Arbitrary<Command> = fc.oneof(
  fc.record({
    type: fc.constant("prompt" as const),
    message: fc.stringMatching(/^[A-Za-z0-9._:-]{1,40}$/),
    parts: fc.array(part, { minLength: 1, maxLength: 5 }),
    steer: fc.boolean(),
  }),
  fc.constant({ type: "interrupt" as const }),
  fc.string().map((task) => ({ type: "stopTask" as const, task })),
  fc.record(
    {
      type: fc.constant("reply" as const),
      ask: fc.constant("permission"),
      option: fc.constantFrom("allow", "suggestion-0", "suggestion-1"),
      message: text,
    },
    { requiredKeys: ["type", "ask", "option"] },
  ),
  fc.record({
    type: fc.constant("reply" as const),
    ask: fc.constant("permission"),
    option: fc.constantFrom("deny", "deny-stop"),
    message: text,
  }),
  fc.record({
    type: fc.constant("reply" as const),
    ask: fc.constant("question"),
    answers: fc.record({ q1: fc.tuple(text), q2: fc.tuple(text) }),
  }),
  fc.record({
    type: fc.constant("reply" as const),
    ask: fc.constant("plan"),
    option: fc.constantFrom("approve", "approve-accept-edits"),
  }),
  fc.record({ type: fc.constant("configure" as const), model: fc.constantFrom("opus", "default") }),
  fc
    .constantFrom("default", "plan", "acceptEdits", "bypass")
    .map((mode) => ({ type: "configure" as const, ...inMode(mode) })),
);

it("decodes every command from its lines", () => {
  fc.assert(
    fc.property(commands, (command) => {
      expect(decoded(asking(), command)).toEqual([command]);
    }),
  );
});

it("decodes an input that a person changed", () => {
  const reply: Command = { type: "reply", ask: "permission", option: "allow", input: { command: "pwd" } };
  expect(decoded(asking(), reply)).toEqual([reply]);
});

it("decodes files by their content", () => {
  const url = "data:image/png;base64,AAAA";
  const parts = [
    { type: "file" as const, url, mediaType: "image/png" },
    { type: "text" as const, text: "What?" },
  ];
  expect(decoded(new Conversation(), { type: "prompt", message: "m", parts, steer: false })).toEqual([
    { type: "prompt", message: "m", parts, steer: false },
  ]);
});

describe("lines of other clients", () => {
  const line = (message: object) =>
    decodeCommands(INITIAL_STATE, { direction: "out", data: JSON.stringify(message) });

  it("have their own id of a prompt, or none", () => {
    const message = { role: "user", content: "Hi" };
    const parts = [{ type: "text", text: "Hi" }];
    expect(line({ type: "user", message, uuid: "u" })).toEqual([{ type: "prompt", message: "u", parts }]);
    expect(line({ type: "user", message })).toEqual([{ type: "prompt", message: "", parts }]);
  });

  it("may ask for what we have no command for", () => {
    expect(line({ type: "control_request", request_id: "1", request: { subtype: "mcp_status" } })).toEqual(
      [],
    );
    expect(decodeCommands(INITIAL_STATE, { direction: "out", data: "not json" })).toEqual([]);
    expect(decodeCommands(INITIAL_STATE, { direction: "in", data: '{"type":"user"}' })).toEqual([]);
  });

  it("may give the prompt on the command line", () => {
    const spawn = (command: string) =>
      decodeCommands(INITIAL_STATE, { direction: "process", data: { event: "spawn", command } });
    expect(spawn("claude --print --model x 'Say hello'")).toEqual([
      { type: "prompt", message: "", parts: [{ type: "text", text: "Say hello" }] },
    ]);
    expect(spawn("claude --input-format stream-json --mcp-config '{}'")).toEqual([]);
  });
});
