/** Session details that the feed lacks, loaded for each new session: directory and age. */
import { useEffect, useState } from "react";
import { daemon } from "../api/client.ts";
import type { Session } from "../api/types.ts";
import type { FeedState } from "../feed/feed-state.ts";

export function useSessionDetails(feed: FeedState): ReadonlyMap<string, Session> {
  const [known, setKnown] = useState<ReadonlyMap<string, Session>>(new Map());
  const missing = [...feed.sessions.keys()].filter((id) => !known.has(id)).join(" ");
  useEffect(() => {
    if (missing === "" || feed.connection !== "live") return;
    const controller = new AbortController();
    daemon()
      .call("GET /v1/sessions", { query: { limit: 500 } }, controller.signal)
      .then(
        ({ sessions }) =>
          setKnown(
            (before) => new Map([...before, ...sessions.map((session) => [session.id, session] as const)]),
          ),
        // The list works without it.
        () => {},
      );
    return () => controller.abort();
  }, [missing, feed.connection]);
  return known;
}

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
