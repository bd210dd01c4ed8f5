/** A message that was found, as clients get it. */
import type { SearchHit, SessionRow } from "./store.ts";

export type SearchResult = Omit<SearchHit, "session"> &
  Pick<SessionRow, "title" | "agent" | "cwd" | "archived"> & { session: string };

export function toSearchResult({ session, message, role, at, snippet }: SearchHit): SearchResult {
  const { id, title, agent, cwd, archived } = session;
  return { session: id, title, agent, cwd, archived, message, role, at, snippet };
}
