/** One entry of the log: what the agent really said, the events, and what clients get, side by side. */
import { ChevronLeft, ChevronRight, ChevronsRight } from "lucide-react";
import { type KeyboardEvent, useEffect, useState } from "react";
import { daemon } from "../api/client.ts";
import type { Xray } from "../api/types.ts";
import { useLoad } from "../api/use-load.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { replace } from "../route.ts";
import { Button, IconButton } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { EntryList } from "./entry-list.tsx";
import { EventsColumn } from "./events-column.tsx";
import { FramesColumn } from "./frames-column.tsx";
import { RecordsColumn } from "./records-column.tsx";
import { useSessionLog } from "./use-session-log.ts";

interface EntryViewProps {
  session: string;
  /** The newest when absent. */
  seq: number | undefined;
}

export function EntryView({ session, seq }: EntryViewProps) {
  const { sessions, snapshots } = useFeed();
  const head = sessions.get(session)?.head;
  const { answer, problem, isLoading } = useLoad(
    `${session} ${snapshots} ${seq ?? "newest"}`,
    (signal) =>
      daemon().call("GET /v1/sessions/{id}/xray", { params: { id: session }, query: { seq } }, signal),
    // The newest is another one when something happens.
    { soon: seq ?? `head ${head}` },
  );
  const log = useSessionLog(session, { snapshots, head });
  // Only looking at an entry tells: the others are not asked for.
  const [unread, setUnread] = useState<ReadonlySet<number>>(new Set());
  useEffect(() => {
    if (!answer?.unread?.length) return;
    setUnread((before) => new Set([...before, ...answer.events.map((event) => event.seq)]));
  }, [answer]);
  const show = (wanted: number | undefined) =>
    replace({ view: "session", session, panel: "xray", seq: wanted });

  function onKey(event: KeyboardEvent) {
    const { target, key } = event;
    if (!answer || (target instanceof HTMLElement && ["INPUT", "SELECT"].includes(target.tagName))) return;
    if (key === "ArrowLeft" && answer.previous !== undefined) show(answer.previous);
    else if (key === "ArrowRight" && answer.next !== undefined) show(answer.next);
    else if (key === "Home") show(1);
    else if (key === "End") show(undefined);
    else return;
    event.preventDefault();
  }

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys are those of the buttons in it
    <div
      className="flex min-h-0 flex-1 flex-col"
      onKeyDown={onKey}
      data-xray={answer?.seq}
      aria-busy={isLoading}
    >
      <Places entry={answer} onShow={show} />
      <Problem text={problem} className="px-3 pb-2" />
      <div className="grid min-h-0 flex-1 auto-rows-max @4xl:auto-rows-fr @4xl:grid-cols-[minmax(12rem,15rem)_1fr_1fr_1fr] gap-3 overflow-y-auto @4xl:overflow-hidden px-3 pb-3">
        <EntryList session={session} log={log} current={answer?.seq} unread={unread} />
        {answer && (
          <>
            <RecordsColumn entry={answer} />
            <EventsColumn entry={answer} />
            <FramesColumn entry={answer} />
          </>
        )}
      </div>
    </div>
  );
}

function Places({ entry, onShow }: { entry: Xray | undefined; onShow: (seq: number | undefined) => void }) {
  const [text, setText] = useState("");
  useEffect(() => setText(String(entry?.seq ?? "")), [entry?.seq]);
  const wanted = Number(text);
  const isThere = Number.isInteger(wanted) && wanted >= 1 && wanted <= (entry?.head ?? 0);
  return (
    <form
      className="flex shrink-0 items-center gap-1 px-3 py-2.5 text-muted-foreground text-xs"
      onSubmit={(event) => {
        event.preventDefault();
        if (isThere) onShow(wanted);
      }}
    >
      <IconButton
        icon={ChevronLeft}
        label="Previous entry"
        title="Previous entry (←)"
        disabled={entry?.previous === undefined}
        onClick={() => onShow(entry?.previous)}
      />
      <label className="flex items-center gap-1.5 tabular-nums">
        Entry
        <input
          aria-label="Entry"
          inputMode="numeric"
          value={text}
          aria-invalid={entry !== undefined && !isThere}
          onChange={(event) => setText(event.target.value)}
          className="h-7 w-16 rounded-md border border-input bg-background px-2 text-center text-foreground aria-invalid:border-danger touch:h-10 touch:text-base"
        />
        of {entry?.head ?? "…"}
      </label>
      <IconButton
        icon={ChevronRight}
        label="Next entry"
        title="Next entry (→)"
        disabled={entry?.next === undefined}
        onClick={() => onShow(entry?.next)}
      />
      <Button look="ghost" size="small" className="ml-auto" onClick={() => onShow(undefined)}>
        <ChevronsRight /> Newest
      </Button>
    </form>
  );
}
