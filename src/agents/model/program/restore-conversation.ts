/** The conversation of earlier processes, from our own log: calls and their results come back as such. */
import { rmSync } from "node:fs";
import type { AssistantModelMessage, ModelMessage, ToolModelMessage } from "ai";
import { isCutOff } from "../../../core/is-cut-off.ts";
import type { ContentPart } from "../../../core/message.ts";
import { readRegularFileSync } from "../../../files/regular-file.ts";
import { withContextAsText } from "../../transport/context-text.ts";
import type { PastConversation, PastMessage } from "../history.ts";
import { isCommand } from "./commands.ts";
import { Conversation } from "./conversation.ts";
import { promptMessage } from "./prompt-message.ts";
import type { ResultStore } from "./tools/result-store.ts";
import type { ToolResult } from "./tools/tool.ts";
import { REFUSALS } from "./turn-failure.ts";
import { RESTARTED, STOPPED } from "./turn-notes.ts";

/** More than the daemon ever writes. */
const MAX_HISTORY_FILE_BYTES = 64 * 1024 * 1024;

const CUT = "[Earlier messages of this conversation are left out: it is too long.]";

export interface RestoredConversation {
  readonly conversation: Conversation;
  /** What a person has allowed for good. */
  readonly rules: readonly string[];
  readonly messages: number;
}

export async function restoreConversation(
  path: string | undefined,
  results: ResultStore,
): Promise<RestoredConversation> {
  if (path === undefined) return { conversation: new Conversation(), rules: [], messages: 0 };
  const past: PastConversation = JSON.parse(
    readRegularFileSync(path, { maxBytes: MAX_HISTORY_FILE_BYTES }).toString(),
  );
  rmSync(path, { force: true });
  const conversation = new Conversation();
  if (past.isCut) conversation.add({ role: "user", content: CUT });
  for (const message of past.messages) {
    await restoreMessage(conversation, message, results);
    conversation.allow(rulesIn(message));
  }
  return { conversation, rules: conversation.rules, messages: past.messages.length };
}

async function restoreMessage(
  conversation: Conversation,
  { id, role, content, outcome, error }: PastMessage,
  results: ResultStore,
): Promise<void> {
  if (role === "assistant") {
    for (const message of await assistantMessages(content, results)) {
      conversation.add(message);
      // An answer shows that what was before it was taken.
      if (message.role === "assistant") conversation.accept();
    }
    if (error !== undefined && REFUSALS.has(error)) conversation.leaveOutRefused();
    if (outcome === "interrupted")
      conversation.add({ role: "user", content: isCutOff(error) ? RESTARTED : STOPPED });
    return;
  }
  const parts = withContextAsText(content.filter((part) => isPromptPart(part)));
  const text = parts.flatMap((part) => (part.type === "text" ? part.text : [])).join("\n");
  const files = parts.flatMap((part) => (part.type === "file" ? part : []));
  if (isCommand(text)) return;
  const { message } = await promptMessage(text, files);
  conversation.add(message, id);
}

function isPromptPart(
  part: ContentPart,
): part is Extract<ContentPart, { type: "text" | "file" | "context" }> {
  return part.type === "text" || part.type === "file" || part.type === "context";
}

type AssistantContent = Exclude<AssistantModelMessage["content"], string>;

/** Exported for tests. */
export async function assistantMessages(
  content: readonly ContentPart[],
  results: ResultStore,
): Promise<ModelMessage[]> {
  const messages: ModelMessage[] = [];
  const given = new Map(
    content.flatMap((part) => (part.type === "tool_result" ? [[part.call, part] as const] : [])),
  );
  let said: AssistantContent = [];
  let answers: ToolModelMessage["content"] = [];
  let hasResult = false;
  const endStep = () => {
    if (said.length > 0) messages.push({ role: "assistant", content: said });
    if (answers.length > 0) messages.push({ role: "tool", content: answers });
    said = [];
    answers = [];
    hasResult = false;
  };
  for (const part of content) {
    // Calls run when all of an answer has come: what follows a result is another answer.
    if (part.type === "tool_result") hasResult = true;
    if (part.type === "text" && part.text.trim() !== "") {
      if (answers.length > 0) endStep();
      said.push({ type: "text", text: part.text });
    }
    if (part.type !== "tool_call") continue;
    const { call, name } = part;
    // The answer broke off before the call was whole: it never was part of the conversation.
    if (part.input === undefined && given.get(call)?.state === "abandoned") continue;
    if (hasResult) endStep();
    // What is no JSON was not sent to the model either.
    const input = typeof part.input === "object" && part.input !== null ? part.input : {};
    said.push({ type: "tool-call", toolCallId: call, toolName: name, input });
    const output = await outputOf(given.get(call), { call, name, input }, results);
    answers.push({ type: "tool-result", toolCallId: call, toolName: name, output });
  }
  endStep();
  return messages;
}

type Output = Extract<ToolModelMessage["content"][number], { type: "tool-result" }>["output"];

async function outputOf(
  result: Extract<ContentPart, { type: "tool_result" }> | undefined,
  { call, name, input }: { call: string; name: string; input: unknown },
  results: ResultStore,
): Promise<Output> {
  if (!result || result.state === "abandoned")
    return { type: "error-text", value: result?.error ?? "It was interrupted." };
  if (result.state === "denied") return { type: "execution-denied", reason: result.error };
  const value = result.output ?? result.error ?? null;
  const whole = isToolResult(value) ? await results.put(call, name, input, value) : value;
  const isFailed = result.state === "failed";
  if (typeof whole === "string") return { type: isFailed ? "error-text" : "text", value: whole };
  return { type: isFailed ? "error-json" : "json", value: whole as never };
}

function isToolResult(value: unknown): value is ToolResult {
  return typeof value === "object" && value !== null && "type" in value && typeof value.type === "string";
}

function rulesIn({ content }: PastMessage): string[] {
  return content.flatMap((part) => {
    if (part.type !== "ask" || part.answer?.effect !== "always" || part.answer.input !== undefined) return [];
    return part.options.find(({ id }) => id === part.answer?.option)?.covers ?? [];
  });
}
