/** The time line of a session's files: each turn with what it changed, and each moment to go back to. */
import { Check, ChevronRight, Flag, RotateCcw, Undo2 } from "lucide-react";
import { type ReactNode, useMemo, useState } from "react";
import { isNamed } from "../access/is-named.ts";
import { useAccess } from "../access/use-access.tsx";
import type { Checkpoint } from "../api/types.ts";
import { shownName } from "../people/shown-name.ts";
import { MoreButton } from "../ui/bounded-list.tsx";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { ChangeList, LineCounts } from "./change-list.tsx";
import { countFiles } from "./file-change.ts";
import type { RestoreTarget } from "./restore-target.ts";
import { type RestoredFiles, type TimeLineEntry, timeLine } from "./time-line.ts";
import { type TurnFiles, useTurnFiles } from "./use-turn-files.ts";

/** How many entries are shown at first, and how many more with each press. */
const STEP = 20;

interface HistoryViewProps {
  session: string;
  checkpoints: readonly Checkpoint[];
  isBusy: boolean;
  /** Absent where nothing may go back. */
  onRestore: ((target: RestoreTarget) => void) | undefined;
}

export function HistoryView({ session, checkpoints, isBusy, onRestore }: HistoryViewProps) {
  const entries = useMemo(() => timeLine(checkpoints), [checkpoints]);
  const [most, setMost] = useState(STEP);
  const shown = useMemo(() => entries.slice(0, most), [entries, most]);
  const files = useTurnFiles(session, shown);
  const newest = entries[0];
  if (entries.length === 0)
    return <p className="p-6 text-center text-muted-foreground text-xs">No checkpoint was taken yet.</p>;
  return (
    <ol className="p-3" aria-label="Timeline">
      {shown.map((entry) => (
        <Entry
          key={entry.key}
          entry={entry}
          files={entry.kind === "turn" ? files.get(entry.turn) : undefined}
          onRestore={
            isBusy || !onRestore
              ? undefined
              : (title) => onRestore({ ...title, checkpoint: entry.checkpoint })
          }
          isNewest={entry === newest}
        />
      ))}
      {entries.length > most && (
        <li>
          <MoreButton onClick={() => setMost(most + STEP)}>Show earlier</MoreButton>
        </li>
      )}
    </ol>
  );
}

interface EntryProps {
  entry: TimeLineEntry;
  files: TurnFiles | undefined;
  isNewest: boolean;
  onRestore: ((target: Omit<RestoreTarget, "checkpoint">) => void) | undefined;
}

const NAMES = { approved: "Changes accepted", created: "Session began" };

const ICONS = { restore: RotateCcw, approved: Check, created: Flag };

function Entry({ entry, files, isNewest, onRestore }: EntryProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { me } = useAccess();
  const isRunning = entry.kind === "turn" && entry.isRunning;
  const canRestore = onRestore !== undefined && entry.checkpoint !== undefined && !isRunning;
  const { kind } = entry;
  const action = actionOf(entry, isNewest);
  const Icon = kind === "turn" ? undefined : ICONS[kind];
  return (
    <li data-entry={kind} className="group relative flex gap-2.5 pb-4 last:pb-1">
      <span
        aria-hidden="true"
        className="absolute top-3 bottom-[-0.4rem] left-[0.53rem] w-px bg-border group-last:hidden"
      />
      <span
        aria-hidden="true"
        className={classNames(
          "relative mt-[3px] grid size-4.5 shrink-0 place-items-center rounded-full border bg-panel [&_svg]:size-2.5",
          kind === "turn" ? "border-primary/50 text-primary-text" : "text-muted-foreground",
        )}
      >
        {Icon ? <Icon /> : <span className="size-1.5 rounded-full bg-primary" />}
      </span>
      <div className="min-w-0 flex-1">
        <div className="flex items-start gap-2">
          <p
            className={classNames(
              "min-w-0 flex-1 leading-5",
              kind === "turn"
                ? "line-clamp-2 text-[0.8125rem] [overflow-wrap:anywhere]"
                : "text-muted-foreground text-xs",
            )}
          >
            {kind === "turn"
              ? (files?.text ?? (entry.message === undefined ? "The agent went on" : "…"))
              : kind === "restore"
                ? restoreName(entry.restored, me.name)
                : NAMES[kind]}
          </p>
          <time
            dateTime={new Date(entry.at).toISOString()}
            title={new Date(entry.at).toLocaleString()}
            className="shrink-0 text-2xs text-muted-foreground leading-5 tabular-nums"
          >
            {clock(entry.at)}
          </time>
        </div>
        <div className="mt-0.5 flex min-h-6.5 flex-wrap items-center justify-between gap-x-3">
          {kind === "turn" && (
            <Counts entry={entry} files={files} isOpen={isOpen} onToggle={() => setIsOpen(!isOpen)} />
          )}
          {canRestore && action && (
            <Action
              onClick={() => {
                const { title, isRedo } = action;
                onRestore({ title, isRedo, hasPrompts: kind !== "restore" });
              }}
            >
              {action.name}
            </Action>
          )}
        </div>
        {isOpen && files?.changes && (
          <div className="mt-1 mb-1">
            <ChangeList changes={files.changes} openUpTo={2} />
          </div>
        )}
        {entry.checkpoint === undefined && (
          <p className="mt-0.5 text-2xs text-muted-foreground">
            Too old to go back to: its checkpoint is no longer kept.
          </p>
        )}
      </div>
    </li>
  );
}

/** What went back, how many, and by whom. */
function restoreName(restored: RestoredFiles | undefined, me: string): string {
  if (!restored) return "Files went back";
  const { files, isRedo, by } = restored;
  const who = by === undefined ? "" : `, by ${isNamed(by, me) ? "you" : shownName(by)}`;
  return `${isRedo ? "Brought back" : "Undone in"} ${countFiles(files)}${who}`;
}

type EntryAction = Pick<RestoreTarget, "title" | "isRedo"> & { name: string };

function actionOf(entry: TimeLineEntry, isNewest: boolean): EntryAction | undefined {
  switch (entry.kind) {
    case "turn":
      return isNewest
        ? { name: "Undo this turn…", title: "Undo this turn?" }
        : { name: "Restore to before this…", title: "Restore to before this turn?" };
    case "restore":
      return entry.restored?.isRedo
        ? { name: "Undo again…", title: "Undo those changes again?" }
        : { name: "Bring back…", title: "Bring those changes back?", isRedo: true };
    case "created":
      return isNewest
        ? undefined
        : { name: "Restore to here…", title: "Go back to where the session began?" };
    case "approved":
      return isNewest ? undefined : { name: "Restore to here…", title: "Go back to what was accepted?" };
  }
}

function Action({ children, onClick }: { children: ReactNode; onClick: () => void }) {
  return (
    <Button look="ghost" size="small" className="-mr-2 ml-auto text-muted-foreground" onClick={onClick}>
      <Undo2 /> {children}
    </Button>
  );
}

interface CountsProps {
  entry: Extract<TimeLineEntry, { kind: "turn" }>;
  files: TurnFiles | undefined;
  isOpen: boolean;
  onToggle: () => void;
}

function Counts({ entry, files, isOpen, onToggle }: CountsProps) {
  if (files?.changes && files.changes.length > 0) {
    return (
      <button
        type="button"
        aria-expanded={isOpen}
        onClick={onToggle}
        className="flex items-center gap-1 rounded text-muted-foreground text-xs hover:text-foreground touch:min-h-10"
      >
        <ChevronRight className={classNames("size-3.5 transition-transform", isOpen && "rotate-90")} />
        <LineCounts changes={files.changes} />
      </button>
    );
  }
  const text = entry.isRunning ? "Running" : (files?.problem ?? (files?.changes && "No file changed"));
  return <span className="text-2xs text-muted-foreground">{text}</span>;
}

function clock(at: number): string {
  const date = new Date(at);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString(undefined, { hour: "numeric", minute: "2-digit" })
    : date.toLocaleDateString(undefined, { month: "short", day: "numeric" });
}
