/** The list of sessions. Only the rows in sight are in the page, however many there are. */
import { ChevronRight } from "lucide-react";
import { type Ref, useEffect, useMemo, useRef } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { useNow } from "../shell/use-now.ts";
import { MoreButton } from "../ui/bounded-list.tsx";
import { classNames } from "../ui/class-names.ts";
import type { ListDifferences, ListItem } from "./list-items.ts";
import { MessageResult } from "./message-result.tsx";
import { SessionRow } from "./session-row.tsx";
import { useFocusInPlace } from "./use-focus-in-place.ts";
import { useWaitingSince } from "./use-waiting-since.ts";

interface SessionListProps {
  /** The element around all rows. */
  ref?: Ref<HTMLDivElement>;
  items: readonly ListItem[];
  current: string | undefined;
  /** What directories are called. */
  directories: ReadonlyMap<string, string>;
  tells: ListDifferences;
  /** Undefined while none are being chosen. */
  chosen: ReadonlySet<string> | undefined;
  onChoose: (session: string, isRange: boolean) => void;
  onToggleGroup: (key: string) => void;
  onOpen: () => void;
}

export function SessionList(props: SessionListProps) {
  const { ref, items, current, directories, tells, chosen, onChoose, onToggleGroup, onOpen } = props;
  const now = useNow(30_000);
  const waitingSince = useWaitingSince();
  const list = useRef<VirtualizerHandle>(null);
  const at = items.findIndex((item) => item.kind === "session" && item.key === current);
  const latest = useRef(at);
  latest.current = at;
  const isThere = at >= 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another session is a reason to scroll, not another place
  useEffect(() => {
    if (isThere) list.current?.scrollToIndex(latest.current, { align: "nearest" });
  }, [current, isThere]);
  // The one row that Tab leads to: where the focus was last, else the one that is shown, else the first.
  const shown = useMemo(() => items.flatMap((item) => (item.kind === "session" ? item.key : [])), [items]);
  const { focused, onFocus, onBlur } = useFocusInPlace(shown);
  const indexOf = (key: string | undefined) =>
    items.findIndex((item) => item.kind === "session" && item.key === key);
  const stop =
    [indexOf(focused), at, items.findIndex(({ kind }) => kind === "session")].find((index) => index >= 0) ??
    -1;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only looks where the focus is
    <div
      ref={ref}
      onFocus={onFocus}
      onBlur={onBlur}
      className="min-h-0 flex-1 overflow-y-auto px-1.5 pb-4 [overflow-anchor:none]"
    >
      <Virtualizer
        ref={list}
        as="ul"
        item="li"
        data={items}
        // With its neighbours, so that keys find the next one also while it is out of sight.
        keepMounted={[...new Set([at, stop])]
          .filter((n) => n >= 0)
          .flatMap((n) => [n - 2, n - 1, n, n + 1, n + 2])
          .filter((n) => items[n])}
      >
        {(item) => {
          switch (item.kind) {
            case "group":
              return (
                <GroupHeading
                  key={item.key}
                  item={item}
                  isTabStop={stop < 0}
                  onToggle={() => onToggleGroup(item.group.key)}
                />
              );
            case "session":
              return (
                <SessionRow
                  key={item.key}
                  session={item.session}
                  depth={item.depth}
                  now={now}
                  isCurrent={item.key === current}
                  waitingSince={waitingSince.get(item.key)}
                  tellsAgent={tells.agent}
                  directory={
                    tells.directory && item.group.directory === undefined
                      ? directories.get(item.session.cwd)
                      : undefined
                  }
                  isTabStop={item === items[stop]}
                  isChosen={chosen?.has(item.key)}
                  onChoose={onChoose}
                  onOpen={onOpen}
                />
              );
            case "result":
              return <MessageResult key={item.key} result={item.result} now={now} onOpen={onOpen} />;
            case "title":
              return (
                <h3 key={item.key} className="px-2 pt-2.5 pb-1 font-medium text-2xs text-muted-foreground">
                  {item.text}
                </h3>
              );
            case "note":
              return (
                <p key={item.key} role="status" className="px-2 py-1 text-muted-foreground text-xs">
                  {item.text}
                </p>
              );
            case "more":
              return (
                <MoreButton key={item.key} onClick={item.onMore} className="my-1">
                  {item.text}
                </MoreButton>
              );
          }
        }}
      </Virtualizer>
    </div>
  );
}

interface GroupHeadingProps {
  item: Extract<ListItem, { kind: "group" }>;
  /** Where no row is in sight that arrows could lead here from. */
  isTabStop: boolean;
  onToggle: () => void;
}

function GroupHeading({ item, isTabStop, onToggle }: GroupHeadingProps) {
  const { group, isCollapsed } = item;
  return (
    <h3 className="pt-2.5 pb-0.5 touch:py-0">
      <button
        type="button"
        tabIndex={isTabStop ? 0 : -1}
        aria-expanded={!isCollapsed}
        title={group.directory}
        onClick={onToggle}
        className="group/heading flex w-full items-center gap-1 rounded px-2 py-0.5 text-left font-medium text-2xs text-muted-foreground hover:text-foreground touch:min-h-10"
      >
        <span className="truncate">{group.name}</span>
        {isCollapsed && <span className="tabular-nums opacity-80">{group.rows.length.toLocaleString()}</span>}
        <ChevronRight
          aria-hidden="true"
          className={classNames(
            "size-3 shrink-0 transition-transform",
            isCollapsed
              ? "opacity-100"
              : "rotate-90 opacity-0 group-hover/heading:opacity-100 group-focus-visible/heading:opacity-100",
          )}
        />
      </button>
    </h3>
  );
}
