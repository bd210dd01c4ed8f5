/** Finds sessions by what was said in them. */
import { useEffect, useState } from "react";
import { daemon } from "../api/client.ts";

/** The sessions in which the daemon finds the words, also in prompts; empty while nothing is searched for. */
export function useFoundSessions(search: string): ReadonlySet<string> {
  const [found, setFound] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    setFound(new Set());
    if (search.trim() === "") return;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      daemon()
        .call("GET /v1/sessions", { query: { limit: 100, search } }, controller.signal)
        .then(
          ({ sessions }) => setFound(new Set(sessions.map(({ id }) => id))),
          () => {},
        );
    }, 200);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [search]);
  return found;
}
