/** How the list of sessions is shown, kept in this browser. */
import { useEffect, useState } from "react";
import { readKeptJson } from "../browser-storage.ts";
import { GROUPINGS, type Grouping } from "./group-sessions.ts";

const KEY = "interlingua.session-list";
/** Directories that are gone are not kept for ever. */
const MAX_COLLAPSED = 100;

interface ListChoices {
  grouping: Grouping;
  /** Keys of groups whose sessions are not shown. */
  collapsed: readonly string[];
}

const AT_FIRST: ListChoices = { grouping: "state", collapsed: [] };

export interface UsedListChoices extends ListChoices {
  groupBy: (grouping: Grouping) => void;
  toggleGroup: (key: string) => void;
}

export function useListChoices(): UsedListChoices {
  const [choices, setChoices] = useState(readChoices);
  useEffect(() => {
    // What was never chosen is not stored.
    if (choices !== AT_FIRST) localStorage.setItem(KEY, JSON.stringify(choices));
  }, [choices]);
  return {
    ...choices,
    groupBy: (grouping) => setChoices((before) => ({ ...before, grouping })),
    toggleGroup: (key) =>
      setChoices((before) => {
        const others = before.collapsed.filter((other) => other !== key);
        const isCollapsed = others.length < before.collapsed.length;
        return { ...before, collapsed: isCollapsed ? others : [...others, key].slice(-MAX_COLLAPSED) };
      }),
  };
}

function readChoices(): ListChoices {
  const stored = readKeptJson(KEY) as Partial<ListChoices> | undefined;
  if (!stored) return AT_FIRST;
  return {
    grouping: GROUPINGS.find((one) => one === stored.grouping) ?? AT_FIRST.grouping,
    collapsed: Array.isArray(stored.collapsed) ? stored.collapsed.map(String) : [],
  };
}
