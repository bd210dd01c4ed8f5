/** What a person has asked for before: in this session, and since this tab was opened in others. */
import { keep, readKeptJson } from "../browser-storage.ts";
import { hasWords } from "../shell/match-words.ts";

/** More are not kept. */
const MAX_KEPT = 100;
/** A longer prompt is kept by its beginning only, which is not what was sent: so it is left out. */
const MAX_LENGTH = 4000;

const KEY = "interlingua.prompts";

/** Newest first, each once. */
export function mergeHistory(...lists: readonly (readonly string[])[]): string[] {
  const texts = lists.flat().filter((text) => text.trim() !== "" && text.length <= MAX_LENGTH);
  return [...new Set(texts)];
}

/** Newest first. */
export function keptHistory(): readonly string[] {
  const stored = readKeptJson(KEY, () => sessionStorage);
  return Array.isArray(stored) ? stored.filter((text) => typeof text === "string") : [];
}

/** Where the storage is full, the session itself has it. */
export function addToHistory(text: string): void {
  const kept = mergeHistory([text], keptHistory()).slice(0, MAX_KEPT);
  keep(KEY, JSON.stringify(kept), () => sessionStorage);
}

/** Those with all of these words, newest first. */
export function searchHistory(history: readonly string[], words: string): readonly string[] {
  return history.filter((text) => hasWords(text, words));
}
