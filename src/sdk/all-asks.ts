/** Everything that waits for a person, page by page. */
import type { HttpClient } from "./http.ts";
import type { AskView } from "./types.ts";

export async function allAsks(http: HttpClient, session?: string): Promise<AskView[]> {
  const all: AskView[] = [];
  let cursor: string | undefined;
  do {
    const page = await http.call("GET /v1/asks", { query: { session, cursor } });
    for (const ask of page.asks) all.push(ask);
    cursor = page.cursor;
  } while (cursor !== undefined);
  return all;
}
