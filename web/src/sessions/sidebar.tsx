/** The sidebar: sessions, what needs a person, and the button for a new session. */
import { Plus, Search, X } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { useMyAsks } from "../access/use-my-asks.ts";
import { useStatusNames } from "../access/use-status-names.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { AsksButton } from "../shell/asks-button.tsx";
import { Mark } from "../shell/mark.tsx";
import { SidebarFooter } from "../shell/sidebar-footer.tsx";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { groupSessions, matches, passes, type SessionFilter } from "./group-sessions.ts";
import { SessionList } from "./session-list.tsx";
import { useFoundSessions } from "./use-session-details.ts";

interface SidebarProps {
  selected: string | undefined;
  onNew: () => void;
  onAsks: () => void;
  onOpen: () => void;
}

const FILTERS: readonly SessionFilter[] = ["all", "active", "waiting"];

export function Sidebar({ selected, onNew, onAsks, onOpen }: SidebarProps) {
  const feed = useFeed();
  const asks = useMyAsks();
  const canCreate = useAccess().can("session.create");
  const { waiting: waitingName } = useStatusNames();
  const [search, setSearch] = useState("");
  const [filter, setFilter] = useState<SessionFilter>("all");
  const found = useFoundSessions(search);
  const input = useRef<HTMLInputElement>(null);

  const groups = useMemo(() => {
    const all = [...feed.sessions.values()].filter(({ archived }) => !archived);
    return groupSessions(
      all.filter(
        (session) =>
          passes(session, filter) && (search.trim() === "" || matches(session, search.trim(), found)),
      ),
      waitingName,
    );
  }, [feed.sessions, filter, search, found, waitingName]);
  const filterNames = { all: "All", active: "Active", waiting: waitingName };

  return (
    <nav aria-label="Sessions" className="flex h-full min-h-0 flex-col">
      <div className="flex h-12 shrink-0 items-center gap-2 pr-2 pl-3.5">
        <Mark className="size-5" />
        <span className="flex-1 font-semibold tracking-[-0.01em]">Interlingua</span>
        <AsksButton count={asks.length} onClick={onAsks} />
        {canCreate && (
          <Button look="ghost" size="icon" aria-label="New session" title="New session (n)" onClick={onNew}>
            <Plus />
          </Button>
        )}
      </div>
      <div className="shrink-0 space-y-2 px-2.5 pb-2.5">
        <div className="relative">
          <Search
            aria-hidden="true"
            className="pointer-events-none absolute top-1/2 left-2 size-3.5 -translate-y-1/2 text-muted-foreground"
          />
          <input
            ref={input}
            id="session-search"
            type="search"
            aria-label="Search sessions and prompts"
            placeholder="Search sessions and prompts"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            onKeyDown={(event) => event.key === "Escape" && setSearch("")}
            className="h-7.5 w-full rounded-md border border-transparent bg-muted pr-7 pl-7 text-[0.8125rem] placeholder:text-muted-foreground hover:border-border focus:border-input focus:bg-background max-md:h-9 max-md:text-base [&::-webkit-search-cancel-button]:hidden"
          />
          {search && (
            <button
              type="button"
              aria-label="Clear search"
              onClick={() => {
                setSearch("");
                input.current?.focus();
              }}
              className="-translate-y-1/2 absolute top-1/2 right-1.5 rounded p-0.5 text-muted-foreground hover:text-foreground"
            >
              <X className="size-3.5" />
            </button>
          )}
        </div>
        <fieldset className="flex gap-1">
          <legend className="sr-only">Which sessions are listed</legend>
          {FILTERS.map((id) => (
            <button
              key={id}
              type="button"
              aria-pressed={filter === id}
              onClick={() => setFilter(id)}
              className={classNames(
                "rounded-md px-2 py-0.5 font-medium text-xs max-md:py-1",
                filter === id
                  ? "bg-selected text-foreground"
                  : "text-muted-foreground hover:bg-hover hover:text-foreground",
              )}
            >
              {filterNames[id]}
            </button>
          ))}
        </fieldset>
      </div>
      <div className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-4">
        {groups.length > 0 ? (
          <SessionList groups={groups} selected={selected} onOpen={onOpen} />
        ) : (
          <NothingListed
            isFirst={feed.sessions.size === 0}
            isLoading={feed.connection === "connecting"}
            search={search}
            onNew={canCreate ? onNew : undefined}
          />
        )}
      </div>
      <SidebarFooter onOpen={onOpen} />
    </nav>
  );
}

interface NothingListedProps {
  isFirst: boolean;
  isLoading: boolean;
  search: string;
  /** Undefined if this person may make none. */
  onNew: (() => void) | undefined;
}

function NothingListed({ isFirst, isLoading, search, onNew }: NothingListedProps) {
  if (isLoading) return <p className="px-2 text-muted-foreground text-xs">Connecting…</p>;
  if (!isFirst) {
    return (
      <p className="px-2 text-muted-foreground text-xs leading-5">
        {search ? `Nothing matches “${search}”.` : "No session is in this state."}
      </p>
    );
  }
  return (
    <div className="mx-1 rounded-lg border border-dashed px-3 py-4 text-center text-muted-foreground text-xs leading-5">
      <p>Sessions appear here, whoever starts them: this page, the command line or another client.</p>
      {onNew && (
        <Button size="small" className="mt-3" onClick={onNew}>
          <Plus /> New session
        </Button>
      )}
    </div>
  );
}
