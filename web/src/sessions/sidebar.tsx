/** The sidebar: sessions, what needs a person, and the button for a new session. */
import { ArrowLeft, PanelLeftClose, Plus } from "lucide-react";
import { type KeyboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useAccess } from "../access/use-access.tsx";
import { useMyAsks } from "../access/use-my-asks.ts";
import { useArchived, useFeed } from "../feed/use-feed.tsx";
import { AsksButton } from "../shell/asks-button.tsx";
import { Mark } from "../shell/mark.tsx";
import { SidebarFooter } from "../shell/sidebar-footer.tsx";
import { Button, IconButton } from "../ui/button.tsx";
import { focusFirst } from "../ui/focus-first.ts";
import { isMac } from "../ui/keys.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { ListOptions } from "./list-options.tsx";
import { NothingListed } from "./nothing-listed.tsx";
import { SessionList } from "./session-list.tsx";
import { SessionSearch } from "./session-search.tsx";
import { useListChoices } from "./use-list-choices.ts";
import { useListItems } from "./use-list-items.ts";
import { useSelection } from "./use-selection.ts";

const SelectionBar = lazyPart(() => import("./selection-bar.tsx"));

interface SidebarProps {
  selected: string | undefined;
  onNew: () => void;
  onAsks: () => void;
  onOpen: () => void;
  /** Undefined where it cannot be closed. */
  onHide?: () => void;
}

export function Sidebar({ selected, onNew, onAsks, onOpen, onHide }: SidebarProps) {
  const feed = useFeed();
  const asks = useMyAsks();
  const canCreate = useAccess().can("session.create");
  const choices = useListChoices();
  const [search, setSearch] = useState("");
  const [isArchived, setIsArchived] = useState(false);
  const list = useRef<HTMLDivElement>(null);
  const isSearching = search.trim() !== "";
  useArchived(isArchived || isSearching);
  const { grouping, collapsed } = choices;
  const { items, directories, tells } = useListItems({
    search: search.trim(),
    isArchived,
    grouping,
    collapsed,
  });
  const selection = useSelection(items);

  function show(archived: boolean) {
    selection.stop();
    setIsArchived(archived);
  }

  /** The row, or the one that Tab leads to, has the focus again. */
  function stopChoosing(row?: Element | null) {
    flushSync(selection.stop);
    focusFirst(row?.querySelector("a"), list.current?.querySelector("li a:not([tabindex='-1'])"));
  }

  const rows = () => list.current?.querySelectorAll<HTMLElement>("li a") ?? [];

  return (
    <nav
      aria-label="Sessions"
      className="flex h-full min-h-0 flex-col"
      data-own-escape={selection.chosen !== undefined || undefined}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !selection.chosen) return moveByArrows(event);
        event.stopPropagation();
        stopChoosing((event.target as Element).closest("li"));
      }}
    >
      <div className="flex h-12 shrink-0 items-center gap-2 pr-2 pl-3.5">
        <Mark className="size-5" />
        <span className="flex-1 font-semibold tracking-[-0.01em]">Interlingua</span>
        <AsksButton count={asks.length} onClick={onAsks} />
        {canCreate && (
          <IconButton
            icon={Plus}
            label="New session"
            title="New session (n)"
            className="max-md:hidden"
            onClick={onNew}
          />
        )}
        {onHide && (
          <IconButton
            icon={PanelLeftClose}
            label="Hide the list"
            title={`Hide the list (${isMac() ? "⌘" : "Ctrl-"}B)`}
            className="-ml-1"
            onClick={onHide}
          />
        )}
      </div>
      <div className="shrink-0 space-y-1.5 px-2.5 pb-1">
        <div className="flex items-center gap-1">
          <SessionSearch
            value={search}
            onChange={setSearch}
            onFirst={() => rows()[0]?.click()}
            onDown={() => rows()[0]?.focus()}
          />
          {!isArchived && !isSearching && (
            <ListOptions
              grouping={grouping}
              onGroup={choices.groupBy}
              onArchived={() => show(true)}
              onChoose={() => selection.start()}
            />
          )}
        </div>
        {isArchived && (
          <div className="flex h-7.5 items-center gap-1 touch:h-10">
            <IconButton icon={ArrowLeft} label="Back to all sessions" onClick={() => show(false)} />
            <h2 className="font-medium text-xs">Archived</h2>
          </div>
        )}
      </div>
      {items.length > 0 ? (
        <SessionList
          ref={list}
          items={items}
          current={selected}
          directories={directories}
          tells={tells}
          chosen={selection.chosen}
          onChoose={selection.toggle}
          onToggleGroup={choices.toggleGroup}
          onOpen={onOpen}
        />
      ) : (
        <div className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-4">
          <NothingListed
            isFirst={feed.sessions.size === 0}
            isLoading={feed.connection === "connecting"}
            isArchived={isArchived}
            search={search}
          />
        </div>
      )}
      {selection.chosen ? (
        <SelectionBar
          chosen={selection.order.filter((id) => selection.chosen?.has(id))}
          isArchived={isArchived}
          onAll={selection.chooseAll}
          onDone={() => stopChoosing()}
        />
      ) : (
        <>
          {/* Where the thumb is. */}
          {canCreate && (
            <div className="shrink-0 px-2.5 py-2 md:hidden">
              <Button look="primary" className="h-11! w-full" onClick={onNew}>
                <Plus /> New session
              </Button>
            </div>
          )}
          <SidebarFooter onOpen={onOpen} />
        </>
      )}
    </nav>
  );
}

/** Arrows move the focus between the rows of the list. */
function moveByArrows(event: KeyboardEvent<HTMLElement>): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const row = (event.target as HTMLElement).closest("li");
  if (by === undefined || !row || event.altKey || event.ctrlKey || event.metaKey) return;
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>("li :is(a, label input, h3 button)")];
  const next = rows[rows.findIndex((one) => row.contains(one)) + by];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
