/** Searches in all messages of all sessions, on the daemon, while a person writes. */
import { useEffect, useMemo, useRef, useState } from "react";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { SearchResult } from "../api/types.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { familyOf } from "./fork-numbers.ts";
import { type FoundMessage, mergeCopies } from "./merge-copies.ts";

/** After the last key. */
const PAUSE_MS = 150;
/** A page may be empty although there are more: so many are asked for in a row. */
const MAX_EMPTY_PAGES = 5;
const LIMIT = 20;

export interface MessageSearch {
  results: readonly FoundMessage[];
  /** What is to be said of it: that it goes on, failed, or cannot find everything yet. */
  note?: string;
  /** Undefined where there are no more. */
  onMore?: () => void;
}

interface Found {
  words: string;
  results: readonly SearchResult[];
  cursor?: string;
  isIncomplete?: boolean;
  problem?: string;
}

/** `words` is empty while nothing is searched for. */
export function useMessageSearch(words: string): MessageSearch {
  const [found, setFound] = useState<Found>();
  const [isLoading, setIsLoading] = useState(false);
  const controller = useRef<AbortController>(undefined);

  async function load(before: Found): Promise<void> {
    controller.current?.abort();
    const own = new AbortController();
    controller.current = own;
    setIsLoading(true);
    try {
      const next = await findMore(before, own.signal);
      if (!own.signal.aborted) setFound(next);
    } catch (error) {
      if (!own.signal.aborted) setFound({ ...before, problem: messageOf(error) });
    } finally {
      if (!own.signal.aborted) setIsLoading(false);
    }
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: only other words begin another search
  useEffect(() => {
    if (words === "") {
      setFound(undefined);
      setIsLoading(false);
      return;
    }
    setIsLoading(true);
    const timer = setTimeout(() => void load({ words, results: [] }), PAUSE_MS);
    return () => {
      clearTimeout(timer);
      controller.current?.abort();
    };
  }, [words]);

  const { sessions } = useFeed();
  const foundResults = found?.results;
  const results = useMemo(
    () => mergeCopies(foundResults ?? [], (session) => familyOf(session, sessions)),
    [foundResults, sessions],
  );
  if (words === "") return { results: [] };
  // What was found before stays until there is something else, or the list would flicker with each key.
  const { cursor, isIncomplete, problem } = found ?? {};
  const note = isLoading
    ? results.length === 0
      ? "Searching…"
      : undefined
    : (problem ?? (isIncomplete ? "Older messages are still being added." : undefined));
  const canGoOn = found !== undefined && found.words === words && !isLoading && cursor !== undefined;
  return { results, note, onMore: canGoOn ? () => void load(found) : undefined };
}

async function findMore(before: Found, signal: AbortSignal): Promise<Found> {
  const { words } = before;
  let found: Found = { ...before, problem: undefined };
  for (let pages = 0; pages < MAX_EMPTY_PAGES; pages += 1) {
    const query = { q: words, limit: LIMIT, cursor: found.cursor };
    const page = await daemon().call("GET /v1/search", { query }, signal);
    const { cursor, isIncomplete } = page;
    found = { words, results: [...found.results, ...page.results], cursor, isIncomplete };
    if (page.results.length > 0 || cursor === undefined) break;
  }
  return found;
}
