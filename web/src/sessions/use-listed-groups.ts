/** The sessions of the feed in the groups of the list. */
import { useMemo } from "react";
import { useStatusNames } from "../access/use-status-names.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { useNow } from "../shell/use-now.ts";
import { directoryNames } from "./directory-names.ts";
import {
  type Grouping,
  groupSessions,
  matches,
  passes,
  type SessionFilter,
  type SessionGroup,
} from "./group-sessions.ts";

interface ListedOptions {
  /** Empty: all. */
  search: string;
  filter: SessionFilter;
  isArchived: boolean;
  grouping: Grouping;
}

/** Days end. */
const EVERY_MS = 60_000;

export interface ListedGroups {
  groups: readonly SessionGroup[];
  /** What directories are called. */
  directories: ReadonlyMap<string, string>;
}

export function useListedGroups(options: ListedOptions): ListedGroups {
  const { search, filter, isArchived, grouping } = options;
  const { sessions } = useFeed();
  const { waiting: waitingName } = useStatusNames();
  const now = useNow(EVERY_MS);
  // Groups change with the day, not with each minute.
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const paths = [...new Set([...sessions.values()].map(({ cwd }) => cwd))].sort().join("\0");
  const directories = useMemo(() => directoryNames(paths.split("\0")), [paths]);
  const groups = useMemo(() => {
    const all = [...sessions.values()];
    const listed = search
      ? all.filter((session) => matches(session, search))
      : all.filter(
          (session) => (session.archived ?? false) === isArchived && (isArchived || passes(session, filter)),
        );
    return groupSessions(listed, {
      by: search ? "state" : grouping,
      waitingName,
      directories,
      now: midnight,
    });
  }, [sessions, search, filter, isArchived, grouping, waitingName, directories, midnight]);
  return { groups, directories };
}
