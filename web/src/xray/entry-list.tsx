/** All entries of the log in their order, to choose from. Only the rows in sight are in the page. */
import { EyeOff } from "lucide-react";
import { useDeferredValue, useEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import type { SessionEvent } from "../api/types.ts";
import { linkTo, replace } from "../route.ts";
import { classNames } from "../ui/class-names.ts";
import { exactTime } from "./exact-time.ts";
import { entryDetail, matchesEntry } from "./log-entry.ts";
import { MAX_EVENTS, type SessionLog } from "./use-session-log.ts";

interface EntryListProps {
  session: string;
  log: SessionLog;
  /** The entry that is shown. */
  current: number | undefined;
  /** Entries of which something is known to be unread. */
  unread: ReadonlySet<number>;
}

export function EntryList({ session, log, current, unread }: EntryListProps) {
  const { events, head } = log;
  const [filter, setFilter] = useState("");
  const words = useDeferredValue(filter.trim());
  const shown = useMemo(
    () => (words === "" ? events : events.filter((event) => matchesEntry(event, words))),
    [events, words],
  );
  const list = useRef<VirtualizerHandle>(null);
  const at = shown.findIndex(({ seq }) => seq === current);
  useEffect(() => {
    if (at >= 0) list.current?.scrollToIndex(at, { align: "nearest" });
  }, [at]);
  return (
    <nav
      aria-label="Entries of the log"
      className="flex @4xl:h-auto h-56 @4xl:min-h-0 min-w-0 flex-col rounded-lg border bg-raised"
    >
      <input
        type="search"
        aria-label="Filter the entries"
        placeholder="Filter"
        value={filter}
        onChange={({ target }) => setFilter(target.value)}
        className="h-9 w-full shrink-0 border-b bg-transparent px-3 text-xs placeholder:text-muted-foreground touch:h-10 touch:text-base"
      />
      <div className="min-h-0 flex-1 overflow-y-auto p-1 [overflow-anchor:none]">
        {shown.length === 0 && words !== "" && (
          <p className="px-2 py-1.5 text-muted-foreground text-xs">No entry is like that.</p>
        )}
        <Virtualizer ref={list} as="ol" item="li" data={shown as SessionEvent[]}>
          {(event) => (
            <EntryRow
              key={event.seq}
              session={session}
              event={event}
              isCurrent={event.seq === current}
              isUnread={event.type === "agent.unknown" || unread.has(event.seq)}
            />
          )}
        </Virtualizer>
      </div>
      {head > MAX_EVENTS && (
        <p className="shrink-0 border-t px-3 py-1.5 text-2xs text-muted-foreground">
          The first {MAX_EVENTS.toLocaleString()} of {head.toLocaleString()}. Later ones by their number.
        </p>
      )}
    </nav>
  );
}

interface EntryRowProps {
  session: string;
  event: SessionEvent;
  isCurrent: boolean;
  isUnread: boolean;
}

function EntryRow({ session, event, isCurrent, isUnread }: EntryRowProps) {
  const { seq, type, at } = event;
  const route = { view: "session", session, panel: "xray", seq } as const;
  const detail = entryDetail(event);
  return (
    <a
      href={linkTo(route)}
      data-entry={seq}
      aria-current={isCurrent ? "true" : undefined}
      onClick={(click) => {
        // Passed through quickly: not each of them is a step back.
        if (click.metaKey || click.ctrlKey || click.shiftKey) return;
        click.preventDefault();
        replace(route);
      }}
      className={classNames(
        "grid grid-cols-[2.25rem_1fr_auto] items-center gap-x-2 rounded-md px-1.5 py-1 text-2xs touch:min-h-10",
        isCurrent ? "bg-primary-soft" : "hover:bg-hover",
      )}
    >
      <span className="text-right text-muted-foreground tabular-nums">{seq}</span>
      <span className="flex min-w-0 items-baseline gap-1.5">
        <span className="shrink-0 font-mono">{type}</span>
        {detail && <span className="truncate text-muted-foreground">{detail}</span>}
      </span>
      <span className="flex items-center gap-1 text-muted-foreground tabular-nums">
        {isUnread && (
          <EyeOff role="img" aria-label="Not all of it was read" className="size-3 text-waiting-text" />
        )}
        {exactTime(at).slice(0, 8)}
      </span>
    </a>
  );
}
