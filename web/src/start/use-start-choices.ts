/** Agent, directory and settings of the session that is about to begin. */
import { useEffect, useMemo, useState } from "react";
import { useAgents } from "../agents/use-agents.tsx";
import { daemon } from "../api/client.ts";
import type { DirectoryList } from "../api/types.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { START_EVENT } from "./choose-agent.ts";
import { forgetDirectory, keepChoices, readChoices } from "./kept-choices.ts";
import type { StartSettings } from "./start-settings.tsx";

const MAX_RECENT = 8;
/** The folder of the data directory that worktrees of sessions are in. */
const WORKTREE = /\/worktrees\/ses_[^/]+(\/|$)/;

export interface StartChoices {
  agent: string;
  setAgent: (name: string) => void;
  /** Undefined until it is known. */
  directory: string | undefined;
  setDirectory: (path: string) => void;
  /** Whether a session there can have a worktree. */
  canBeApart: boolean;
  isApart: boolean;
  setIsApart: (isApart: boolean) => void;
  settings: StartSettings;
  change: (settings: StartSettings) => void;
  /** Names of agents, and directories, of the last sessions. */
  recentAgents: readonly string[];
  recentDirectories: readonly string[];
}

export function useStartChoices(): StartChoices {
  const list = useAgents();
  const [kept, setKept] = useState(readChoices);
  const recent = useRecentSessions();
  const [picked, setPicked] = useState<string>();
  const [settings, setSettings] = useState<StartSettings>({});
  const [isApart, setIsApart] = useState(false);
  const { place, directory, setDirectory } = useDirectory(recent.directories);
  const recentAgents = [...new Set([...(kept.agent === undefined ? [] : [kept.agent]), ...recent.agents])];
  const isThere = (name: string) => list?.agents.some((agent) => agent.name === name) ?? true;
  const agent = picked ?? recentAgents.find(isThere) ?? list?.default ?? "";

  useEffect(() => {
    // From now on it does not change by itself, whatever others do.
    if (list && recent.isKnown && agent !== "") setPicked((before) => before ?? agent);
  }, [list, recent.isKnown, agent]);

  function setAgent(name: string) {
    setPicked(name);
    keepChoices({ agent: name });
    // Another agent has other models and modes.
    if (name !== agent) setSettings({});
  }
  useEffect(() => {
    const choose = (event: Event) => {
      setPicked((event as CustomEvent<string>).detail);
      setSettings({});
    };
    addEventListener(START_EVENT, choose);
    return () => removeEventListener(START_EVENT, choose);
  }, []);

  return {
    agent,
    setAgent,
    directory,
    setDirectory(path) {
      setDirectory(path);
      keepChoices({ directory: path });
      setKept(readChoices());
    },
    canBeApart: place?.isInRepository === true,
    isApart: isApart && place?.isInRepository === true,
    setIsApart,
    settings,
    change: (change) =>
      setSettings((before) => ({
        ...before,
        ...change,
        ...(change.settings && { settings: { ...before.settings, ...change.settings } }),
      })),
    recentAgents,
    recentDirectories: [...new Set([...kept.directories, ...recent.directories])].slice(0, MAX_RECENT),
  };
}

/** The one that was chosen, else the one used last if it is still there, else where the daemon begins. */
function useDirectory(recent: readonly string[]) {
  const [directory, setDirectory] = useState<string | undefined>(() => readChoices().directories[0]);
  const [place, setPlace] = useState<DirectoryList>();
  const wanted = directory ?? recent[0];
  useEffect(() => {
    const controller = new AbortController();
    async function load(): Promise<DirectoryList> {
      const ask = (query: { path?: string; limit?: number }) =>
        daemon().call("GET /v1/directories", { query }, controller.signal);
      if (wanted !== undefined) {
        // Only itself is of interest, not what is in it.
        const found = await ask({ path: wanted, limit: 1 }).catch(() => undefined);
        if (found || controller.signal.aborted) return found!;
        forgetDirectory(wanted);
      }
      const [first] = (await ask({})).directories;
      return ask({ path: first?.path ?? "/", limit: 1 });
    }
    load().then(
      (found) => {
        if (controller.signal.aborted) return;
        setPlace(found);
        // From now on it does not change by itself, whatever others do.
        setDirectory(found.path);
      },
      () => {},
    );
    return () => controller.abort();
  }, [wanted]);
  return { place: place?.path === wanted ? place : undefined, directory: wanted, setDirectory };
}

/** From the sessions that the page knows, the last changed first. */
function useRecentSessions(): {
  agents: readonly string[];
  directories: readonly string[];
  isKnown: boolean;
} {
  const { sessions, snapshots } = useFeed();
  const isKnown = snapshots > 0;
  return useMemo(() => {
    const last = [...sessions.values()]
      .toSorted((one, other) => other.updatedAt - one.updatedAt)
      .slice(0, 200);
    const directories = last.flatMap(({ cwd }) => (cwd === undefined || WORKTREE.test(cwd) ? [] : [cwd]));
    return {
      isKnown,
      agents: [...new Set(last.map(({ agent }) => agent))],
      directories: [...new Set(directories)].slice(0, MAX_RECENT),
    };
  }, [sessions, isKnown]);
}
