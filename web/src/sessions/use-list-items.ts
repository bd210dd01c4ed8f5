/** What the list shows: the sessions of the feed in groups, or what is found by a search. */
import { useMemo, useState } from "react";
import { useStatusNames } from "../access/use-status-names.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { useNow } from "../shell/use-now.ts";
import { findSessions, type Grouping, groupSessions } from "./group-sessions.ts";
import { foundItems, type ListDifferences, type ListItem, listDifferences, listItems } from "./list-items.ts";
import { useUnseenEnding } from "./unseen-endings.ts";
import { useDirectoryNames } from "./use-directory-names.ts";
import { useMessageSearch } from "./use-message-search.ts";

interface ListOptions {
  /** Empty while nothing is searched for. */
  search: string;
  isArchived: boolean;
  grouping: Grouping;
  /** Keys of groups whose sessions are not shown. */
  collapsed: readonly string[];
}

export interface UsedListItems {
  items: readonly ListItem[];
  /** What directories are called. */
  directories: ReadonlyMap<string, string>;
  tells: ListDifferences;
}

/** Days end. */
const EVERY_MS = 60_000;
/** So that what was found in messages is in sight, too. */
const FIRST_FOUND = 8;

export function useListItems(options: ListOptions): UsedListItems {
  const { search, isArchived, grouping, collapsed } = options;
  const { sessions } = useFeed();
  const { waiting: waitingName } = useStatusNames();
  const now = useNow(EVERY_MS);
  // Groups change with the day, not with each minute.
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const directories = useDirectoryNames();
  const unseen = useUnseenEnding();
  const listed = useMemo(() => {
    if (search) return [];
    const shown = [...sessions.values()].filter((session) => (session.archived ?? false) === isArchived);
    return groupSessions(shown, {
      by: grouping,
      waitingName,
      directories,
      now: midnight,
      wantsLook: (session) => unseen(session) !== undefined,
    });
  }, [sessions, search, isArchived, grouping, waitingName, directories, midnight, unseen]);

  const found = useMemo(() => search && findSessions([...sessions.values()], search), [sessions, search]);
  const messages = useMessageSearch(search);
  /** The search of which all sessions are shown. */
  const [shownAll, setShownAll] = useState("");
  const items = found
    ? foundItems({
        sessions: found,
        most: shownAll === search ? Number.POSITIVE_INFINITY : FIRST_FOUND,
        onAllSessions: () => setShownAll(search),
        messages: messages.results,
        note: messages.note,
        onMoreMessages: messages.onMore,
      })
    : listItems(listed, new Set(collapsed));
  const tells = useMemo(() => listDifferences(found ? [found] : listed), [found, listed]);
  return { items, directories, tells };
}
