/** Prompts in Codex's words. */
import { fileURLToPath } from "node:url";
import type { CommandOf } from "../../../core/command.ts";
import { InterlinguaError } from "../../../core/error.ts";
import type { PromptPart } from "../../../core/prompt-part.ts";
import { type SentPart, withContextAsText } from "../../transport/context-text.ts";
import type { RpcCall } from "../../transport/json-rpc-lines.ts";
import type { CodexState } from "../conversation-state.ts";
import type { WireInput } from "../wire.ts";

/** More characters than this Codex does not take. */
const MAX_CHARACTERS = 1_048_576;

export function promptCall(state: CodexState, { message, parts, steer }: CommandOf<"prompt">): RpcCall {
  const params = { threadId: state.thread, input: promptInput(parts), clientUserMessageId: message };
  if (!steer) return { method: "turn/start", params };
  if (state.turn) return { method: "turn/steer", params: { ...params, expectedTurnId: state.turn.id } };
  throw new InterlinguaError("unsupported", "The turn has ended; send the message as a prompt of its own.");
}

/** Throws `unsupported` for what Codex does not take. */
export function promptInput(parts: readonly PromptPart[]): WireInput[] {
  const input = withContextAsText(parts).map(toInput);
  assertInputSize(input);
  return input;
}

function toInput(part: SentPart): WireInput {
  if (part.type === "text") return { type: "text", text: part.text, text_elements: [] };
  const { url, mediaType, filename } = part;
  const isImage = mediaType.startsWith("image/");
  const given = { mediaType, filename };
  if (url.startsWith("file:")) {
    const path = fileURLToPath(url);
    if (isImage) return { type: "localImage", path, interlingua: { url, ...given } };
    // It can read any other file by itself.
    return { type: "text", text: `File: ${path}`, text_elements: [], interlingua: { url, ...given } };
  }
  if (isImage && url.startsWith("data:")) return { type: "image", url, interlingua: given };
  throw new InterlinguaError(
    "unsupported",
    `Codex takes no ${filename ?? mediaType} in a message, only images as data URLs. Save the file in the session's directory and name it in the text.`,
  );
}

function assertInputSize(input: readonly WireInput[]): void {
  const length = input.reduce((sum, part) => sum + (part.type === "text" ? part.text.length : 0), 0);
  if (length <= MAX_CHARACTERS) return;
  throw new InterlinguaError(
    "unsupported",
    `Codex takes at most ${MAX_CHARACTERS} characters in a message, and this one has ${length}. Save the text in a file of the session's directory and name the file.`,
  );
}
