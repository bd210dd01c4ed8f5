/**
 * What the daemon puts before a prompt for the agent: an account of the conversation, and a note on files that went back. For
 * whatever reads prompts as the agent got them and wants the user's words. Pure.
 */
import { withoutAccount } from "./conversation-account.ts";
import type { PromptPart } from "./prompt-part.ts";
import { withoutNote } from "./restored-files.ts";

/** The user's words in the text of a prompt. */
export function withoutPreface(text: string): string {
  return withoutNote(withoutAccount(text));
}

/** The parts without the daemon's words, which are texts of their own or the beginning of one. */
export function partsWithoutPreface(parts: readonly PromptPart[]): PromptPart[] {
  return parts.flatMap((part): PromptPart[] => {
    if (part.type !== "text") return [part];
    const text = withoutPreface(part.text);
    return text === "" && part.text !== "" ? [] : [{ ...part, text }];
  });
}
