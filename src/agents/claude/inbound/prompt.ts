/** A prompt as a line for Claude Code. */
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { CommandOf } from "../../../core/command.ts";
import { type SentPart, withContextAsText } from "../../transport/context-text.ts";
import type { ClaudeState } from "../conversation-state.ts";
import type { PartLayout, PromptLine } from "../wire.ts";
import { fileBlock } from "./file-block.ts";

export function promptLine(state: ClaudeState, command: CommandOf<"prompt">): PromptLine {
  const { message, steer = false } = command;
  const parts = withContextAsText(command.parts);
  return {
    type: "user",
    message: { role: "user", content: contentOf(parts) },
    parent_tool_use_id: null,
    session_id: "",
    uuid: promptId(state, message),
    interlingua: { message, steer, ...layoutOf(parts) },
  };
}

/** What a person said with a yes. The answer itself has no room for it, so it follows like a prompt in a running turn. */
export function wordsLine(state: ClaudeState, ask: string, words: string): PromptLine {
  return {
    type: "user",
    message: { role: "user", content: words },
    parent_tool_use_id: null,
    session_id: "",
    uuid: promptId(state, `words with ${ask}`),
    interlingua: { withAnswer: ask },
  };
}

/** Where the line itself does not tell it. */
function layoutOf(parts: readonly SentPart[]): { parts?: readonly PartLayout[] } {
  if (parts.length === 1 && parts[0]?.type === "text") return {};
  return { parts: parts.map(layoutOfPart) };
}

function layoutOfPart(part: SentPart): PartLayout {
  if (part.type === "text") return { text: part.text.length };
  const named = part.filename === undefined ? {} : { filename: part.filename };
  if (part.url.startsWith("file:")) return { mention: part.url, mediaType: part.mediaType, ...named };
  return { file: true, ...named };
}

/** All text goes into the last block: only there does Claude Code look for commands and for files that are mentioned. */
function contentOf(parts: readonly SentPart[]): PromptLine["message"]["content"] {
  const blocks: object[] = [];
  const texts: string[] = [];
  for (const part of parts) {
    if (part.type === "text") texts.push(part.text);
    // It reads files of the machine itself.
    else if (part.url.startsWith("file:")) texts.push(mentionOf(part.url));
    else blocks.push(fileBlock(part));
  }
  const text = texts.join("\n");
  if (blocks.length === 0) return text;
  return text === "" ? blocks : [...blocks, { type: "text", text }];
}

export function mentionOf(url: string): string {
  return `@"${fileURLToPath(url)}"`;
}

/**
 * The id under which Claude Code knows the prompt. It ignores one it has seen before, even if that was called back. A
 * message may be sent again, after it was returned or rewound; so its own id would not do.
 */
function promptId({ process = 0, promptCount }: ClaudeState, message: string): string {
  const hash = createHash("sha256").update(`${process} ${promptCount} ${message}`).digest("hex");
  // Version 8 of a UUID is one that applications make as they like.
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join("-");
}
