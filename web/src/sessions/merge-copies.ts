/** What forks have in common was said once: it is found once, in the session where it was said. Pure. */
import type { SearchResult } from "../api/types.ts";

export interface FoundMessage extends SearchResult {
  /** In how many forks it is too. */
  copies: number;
}

/** `familyOf` gives the session that all forks of it began with. The order stays. */
export function mergeCopies(
  results: readonly SearchResult[],
  familyOf: (session: string) => string,
): FoundMessage[] {
  const found = new Map<string, FoundMessage>();
  for (const result of results) {
    const family = familyOf(result.session);
    const key = `${family} ${result.message}`;
    const before = found.get(key);
    if (!before) found.set(key, { ...result, copies: 0 });
    else found.set(key, { ...(result.session === family ? result : before), copies: before.copies + 1 });
  }
  return [...found.values()];
}
