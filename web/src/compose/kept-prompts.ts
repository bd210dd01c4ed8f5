/**
 * What a person wrote and the daemon does not have yet, by session: the draft, and prompts whose request was not
 * answered. Kept in memory and, if small enough, in the tab's storage, so that a reload does not lose it.
 */
import type { PromptPart } from "../api/types.ts";
import type { AttachedFile } from "./attached-file.ts";

export interface Draft {
  text: string;
  files: readonly AttachedFile[];
}

export interface UnansweredPrompt {
  id: string;
  parts: PromptPart[];
}

/** The storage of a tab holds a few megabytes; more than this stays in memory only. */
const MAX_STORED_LENGTH = 1_000_000;

const memory = new Map<string, unknown>();

export function readDraft(session: string): Draft {
  return read<Draft>(`draft.${session}`) ?? { text: "", files: [] };
}

export function keepDraft(session: string, draft: Draft): void {
  const isEmpty = draft.text === "" && draft.files.length === 0;
  keep(`draft.${session}`, isEmpty ? undefined : draft, { text: draft.text, files: [] });
}

export function unansweredPrompts(session: string): readonly UnansweredPrompt[] {
  return read<UnansweredPrompt[]>(`unanswered.${session}`) ?? [];
}

export function addUnanswered(session: string, prompt: UnansweredPrompt): void {
  keepUnanswered(session, [...unansweredPrompts(session), prompt]);
}

export function removeUnanswered(session: string, id: string): void {
  const before = unansweredPrompts(session);
  if (before.some((prompt) => prompt.id === id))
    keepUnanswered(
      session,
      before.filter((prompt) => prompt.id !== id),
    );
}

function keepUnanswered(session: string, prompts: readonly UnansweredPrompt[]): void {
  const texts = prompts.map(({ id, parts }) => ({ id, parts: parts.filter(({ type }) => type === "text") }));
  keep(`unanswered.${session}`, prompts.length === 0 ? undefined : prompts, texts);
}

function read<Value>(name: string): Value | undefined {
  if (memory.has(name)) return memory.get(name) as Value;
  try {
    const stored = sessionStorage.getItem(`interlingua.${name}`);
    return stored === null ? undefined : (JSON.parse(stored) as Value);
  } catch {
    return undefined;
  }
}

/** `smaller` is what is stored of a value that is too large. */
function keep(name: string, value: unknown, smaller: unknown): void {
  memory.set(name, value);
  const key = `interlingua.${name}`;
  try {
    if (value === undefined) return sessionStorage.removeItem(key);
    const text = JSON.stringify(value);
    sessionStorage.setItem(key, text.length <= MAX_STORED_LENGTH ? text : JSON.stringify(smaller));
  } catch {
    // The storage is full: it stays in memory.
    sessionStorage.removeItem(key);
  }
}
