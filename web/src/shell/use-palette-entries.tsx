/** What the command palette can find: what is bound now, every session, and every agent. */
import {
  Archive,
  BarChart3,
  BookOpen,
  Contrast,
  FileDiff,
  GitFork,
  Inbox,
  Keyboard,
  ListTree,
  type LucideIcon,
  Monitor,
  Moon,
  Pencil,
  PencilLine,
  Pin,
  Plus,
  QrCode,
  Radar,
  Search,
  Sun,
  Trash2,
  UserPlus,
} from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { useAccess } from "../access/use-access.tsx";
import { useMyAsks } from "../access/use-my-asks.ts";
import { useStatusNames } from "../access/use-status-names.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { useAgents } from "../agents/use-agents.tsx";
import type { SessionSummary } from "../feed/feed-state.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { openSession, useRoute } from "../route.ts";
import { useDirectoryNames } from "../sessions/use-directory-names.ts";
import { chooseAgent } from "../start/choose-agent.ts";
import { AgentIcon } from "../ui/agent-icon.tsx";
import { formatAge } from "../ui/format.ts";
import { StatusDot } from "../ui/status-dot.tsx";
import type { Named } from "./match-words.ts";
import { SHORTCUTS, type ShortcutId } from "./shortcuts.ts";
import { useCommands } from "./use-command.tsx";
import { useNow } from "./use-now.ts";

const EVERY_MS = 60_000;

export interface PaletteEntry extends Named {
  id: string;
  icon: ReactNode;
  /** What tells it from others of its name. */
  hint?: string;
  /** Shown in place of the name. */
  label?: ReactNode;
  keys?: string;
  /** The session it leads to, which may go by its first prompt. */
  session?: SessionSummary;
  run: () => void;
}

/** Those that make sense from here, in the order in which they are listed. */
const ACTIONS: readonly [ShortcutId, LucideIcon][] = [
  ["new", Plus],
  ["asks", Inbox],
  ["files", FileDiff],
  ["tasks", ListTree],
  ["xray", Radar],
  ["pin", Pin],
  ["rename", Pencil],
  ["archive", Archive],
  ["fork", GitFork],
  ["invite", UserPlus],
  ["phone", QrCode],
  ["write", PencilLine],
  ["search", Search],
  ["usage", BarChart3],
  ["theme-light", Sun],
  ["theme-dark", Moon],
  ["theme-system", Monitor],
  ["contrast", Contrast],
  ["shortcuts", Keyboard],
  ["reference", BookOpen],
  ["delete", Trash2],
];

export type PaletteKind = "waiting" | "session" | "action" | "agent";

export function usePaletteEntries(): Record<PaletteKind, readonly PaletteEntry[]> {
  const commands = useCommands();
  const { sessions } = useFeed();
  const waits = useMyAsks().length;
  const agents = useAgents();
  const nameOf = useAgentNames();
  const statusNames = useStatusNames();
  const canCreate = useAccess().can("session.create");

  const route = useRoute();
  const open = route.view === "session" ? sessions.get(route.session) : undefined;
  const isPinned = open?.pinned === true;
  const isArchived = open?.archived === true;
  const now = useNow(EVERY_MS);
  const directories = useDirectoryNames();

  const action = useMemo(() => {
    const bound = new Set(commands.list());
    const names: Partial<Record<ShortcutId, string>> = {
      pin: isPinned ? "Unpin" : "Pin",
      archive: isArchived ? "Back to the list" : "Archive",
    };
    return ACTIONS.filter(([id]) => bound.has(id)).map(([id, Icon]) => {
      const { words, keys } = SHORTCUTS[id];
      const name = names[id] ?? SHORTCUTS[id].name;
      return { id, name, words, keys: keys?.[0], icon: <Icon />, run: () => commands.run(id) };
    });
  }, [commands, isPinned, isArchived]);
  const session = useMemo(
    () =>
      [...sessions.values()]
        .sort((a, b) => rank(a) - rank(b) || b.updatedAt - a.updatedAt)
        .map((summary) => {
          const { session, title, agent, status, cwd, updatedAt } = summary;
          return {
            id: `session ${session}`,
            name: title?.trim() ?? "",
            words: `${agent} ${nameOf(agent)} ${session}`,
            hint: `${nameOf(agent)} · ${directories.get(cwd) ?? cwd} · ${formatAge(updatedAt, now)}`,
            icon: <StatusDot status={status} names={statusNames} />,
            session: summary,
            run: () => {
              // What is opened takes the focus, wherever it was.
              if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
              openSession(session);
            },
          };
        }),
    [sessions, nameOf, statusNames, directories, now],
  );
  const agent = useMemo(
    () =>
      canCreate
        ? (agents?.agents ?? []).map(({ name, title }) => ({
            id: `agent ${name}`,
            name: title,
            words: `${name} new session start`,
            icon: <AgentIcon agent={name} />,
            run: () => chooseAgent(name),
          }))
        : [],
    [agents, canCreate],
  );
  // What waits is the likeliest reason to come: Enter leads there.
  const waiting = useMemo(
    () =>
      waits === 0
        ? []
        : [
            {
              id: "waiting",
              name: waits === 1 ? "1 ask waits for you" : `${waits} asks wait for you`,
              icon: <Inbox />,
              run: () => commands.run("asks"),
            },
          ],
    [commands, waits],
  );
  return { waiting, session, action, agent };
}

/** What waits for a person comes first. */
function rank({ status }: SessionSummary): number {
  return status === "waiting" ? 0 : 1;
}
