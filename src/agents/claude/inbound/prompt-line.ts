/** A prompt as a line for Claude Code. */
import { createHash } from "node:crypto";
import type { CommandOf } from "../../../core/command.ts";
import type { ClaudeState } from "../conversation-state.ts";
import type { PromptLine } from "../wire.ts";
import { fileBlock } from "./file-block.ts";

export function promptLine(state: ClaudeState, command: CommandOf<"prompt">): PromptLine {
  const { message, parts, steer = false } = command;
  const [only] = parts;
  // Plain text stays a text: only there does it look for commands at the beginning.
  const content =
    parts.length === 1 && only?.type === "text"
      ? only.text
      : parts.map((part) => (part.type === "text" ? { type: "text", text: part.text } : fileBlock(part)));
  return {
    type: "user",
    message: { role: "user", content },
    parent_tool_use_id: null,
    session_id: "",
    uuid: promptId(state, message),
    interlingua: { message, steer },
  };
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
