/** What a person has asked for before: in this session, and since this tab was opened in others. */

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
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(stored) ? stored.filter((text) => typeof text === "string") : [];
  } catch {
    return [];
  }
}

export function addToHistory(text: string): void {
  try {
    const kept = mergeHistory([text], keptHistory()).slice(0, MAX_KEPT);
    sessionStorage.setItem(KEY, JSON.stringify(kept));
  } catch {
    // The storage is full: the session itself has it.
  }
}

/** Those with all of these words, newest first. */
export function searchHistory(history: readonly string[], words: string): readonly string[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return history.filter((text) => {
    const lower = text.toLowerCase();
    return wanted.every((word) => lower.includes(word));
  });
}
