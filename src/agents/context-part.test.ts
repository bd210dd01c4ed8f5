/** What a person looks at reaches every agent, and a replay compares as the log does. */
import { describe, expect, it } from "vitest";
import type { CommandOf } from "../core/command.ts";
import { type PromptPart, promptText } from "../core/prompt-part.ts";
import { INITIAL_STATE as ACP_STATE } from "./acp/conversation-state.ts";
import { decodeCommands as decodeAcp } from "./acp/decode-commands.ts";
import { createInbound as createAcpInbound } from "./acp/inbound.ts";
import { INITIAL_STATE as AMP_STATE } from "./amp/conversation-state.ts";
import { decodeCommands as decodeAmp } from "./amp/decode-commands.ts";
import { createInbound as createAmpInbound } from "./amp/inbound.ts";
import { INITIAL_STATE as CLAUDE_STATE } from "./claude/conversation-state.ts";
import { decodeCommands as decodeClaude } from "./claude/decode-commands.ts";
import { createInbound as createClaudeInbound } from "./claude/inbound.ts";
import { Conversation as CodexConversation } from "./codex/conversation.test-support.ts";
import { decodeCommands as decodeCodex } from "./codex/decode-commands.ts";
import { INITIAL_STATE as MOCK_STATE } from "./mock/conversation-state.ts";
import { decodeCommands as decodeMock } from "./mock/decode-commands.ts";
import { createInbound as createMockInbound } from "./mock/inbound.ts";
import { INITIAL_STATE as OPENCODE_STATE } from "./opencode/conversation-state.ts";
import { promptRequest } from "./opencode/inbound/prompt.ts";
import { contextText, withContextAsText } from "./transport/context-text.ts";

const CONTEXT = { type: "context" as const, path: "/p/a.ts", language: "ts", content: "let a;\n" };
const SELECTED = { ...CONTEXT, selection: { start: 1, end: 1 } };

function prompt(...parts: PromptPart[]): CommandOf<"prompt"> {
  return { type: "prompt", message: "m", parts };
}

const CONNECT = { sessionId: "s", cwd: "/p" };
const AMP_OPTIONS = {
  connect: CONNECT,
  program: { command: "amp", args: [] },
  flags: { names: new Set(["--stream-json-input"]), modes: [] },
};

/** The lines of each agent, and the commands they carried. */
const AGENTS: Record<string, (command: CommandOf<"prompt">) => [string, readonly unknown[]]> = {
  mock: (command) => {
    const lines = createMockInbound(CONNECT, 0).encode(MOCK_STATE, command);
    return [lines.join(), lines.flatMap((data) => decodeMock(MOCK_STATE, { direction: "out", data }))];
  },
  claude: (command) => {
    const lines = createClaudeInbound({}).encode(CLAUDE_STATE, command);
    return [lines.join(), lines.flatMap((data) => decodeClaude(CLAUDE_STATE, { direction: "out", data }))];
  },
  codex: (command) => {
    const conversation = CodexConversation.opened();
    const lines = conversation.send(command).map((line) => JSON.stringify(line));
    const { state } = conversation;
    return [lines.join(), lines.flatMap((data) => decodeCodex(state, { direction: "out", data }))];
  },
  acp: (command) => {
    const lines = createAcpInbound({ cwd: "/p", mcpServers: [] }).encode(ACP_STATE, command);
    return [lines.join(), lines.flatMap((data) => decodeAcp(ACP_STATE, { direction: "out", data }))];
  },
  amp: (command) => {
    const lines = createAmpInbound(AMP_OPTIONS as never).input(AMP_STATE, command);
    return [lines.join(), lines.flatMap((data) => decodeAmp(AMP_STATE, { direction: "out", data }))];
  },
};

function worded(parts: readonly PromptPart[]): string {
  return promptText(withContextAsText(parts));
}

describe.each(Object.entries(AGENTS))("%s", (_name, send) => {
  it.each([[[CONTEXT]], [[{ type: "text" as const, text: "Why?" }, SELECTED]]])("is told of %j", (parts) => {
    const [lines, commands] = send(prompt(...parts));
    expect(lines).toContain(JSON.stringify(contextText(parts.at(-1) as typeof CONTEXT)).slice(1, -1));
    const [command] = commands as CommandOf<"prompt">[];
    expect(worded(command!.parts)).toBe(worded(parts));
  });
});

it("OpenCode gets it as a text of its own", () => {
  const state = { ...OPENCODE_STATE, choice: { model: "provider/model" } };
  const { body } = promptRequest(state, "s", prompt({ type: "text", text: "Why?" }, SELECTED), {});
  expect(body).toMatchObject({ parts: [{ text: "Why?" }, { type: "text", text: contextText(SELECTED) }] });
});

it("an ACP agent that takes embedded context gets the file as a resource, unless something is selected", () => {
  const capabilities = { promptCapabilities: { embeddedContext: true } };
  const state = { ...ACP_STATE, agent: { protocol: 1, capabilities, authMethods: [] } };
  const encoder = createAcpInbound({ cwd: "/p", mcpServers: [] });
  const [data] = encoder.encode(state, prompt(CONTEXT, SELECTED)) as [string];
  expect(JSON.parse(data).params.prompt).toMatchObject([
    { type: "resource", resource: { uri: "file:///p/a.ts", text: "let a;\n" } },
    { type: "text", text: contextText(SELECTED) },
  ]);
  const [command] = decodeAcp(state, { direction: "out", data }) as [CommandOf<"prompt">];
  expect(command.parts[0]).toEqual(CONTEXT);
});
