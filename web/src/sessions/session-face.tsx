/** What a row says of a session: how it stands, what it goes by, how old it is, and what it does not share with the others. */
import { Archive, GitFork, Hourglass } from "lucide-react";
import { useStatusNames } from "../access/use-status-names.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import { useHasPlayMoney } from "../agents/use-play-money.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { AgentIcon } from "../ui/agent-icon.tsx";
import { classNames } from "../ui/class-names.ts";
import { formatAge, formatCents } from "../ui/format.ts";
import { StatusDot } from "../ui/status-dot.tsx";
import { type BadEnding, useUnseenEnding } from "./unseen-endings.ts";
import type { SessionTitle } from "./use-session-title.ts";

/** Dollars. Less is not told apart in a list. */
const MIN_COST = 0.01;

const ENDINGS: Readonly<Record<BadEnding, string>> = {
  "cut off": "Cut off by a restart",
  failed: "The last turn failed",
};

export interface SessionFaceProps {
  session: SessionSummary;
  title: SessionTitle;
  now: number;
  isFork: boolean;
  /** Since when it waits for somebody. */
  waitingSince: number | undefined;
  /** Not all of the list have the same. */
  tellsAgent: boolean;
  /** Undefined where it is not told here. */
  directory: string | undefined;
}

/** The cells of a grid with three columns. */
export function SessionFace(props: SessionFaceProps) {
  const { session, title, now, isFork, waitingSince, tellsAgent, directory } = props;
  const { agent, cost = 0, openAsks, queued, status } = session;
  const agentName = useAgentNames()(agent);
  const statusNames = useStatusNames();
  const ending = useUnseenEnding()(session);
  const { suffix = "" } = title;
  const hasDetails = tellsAgent || directory !== undefined;
  const since = waitingSince ?? session.updatedAt;
  const hasPlayMoney = useHasPlayMoney()(agent);
  const price = cost >= MIN_COST && !hasPlayMoney && (
    <span className="ml-auto shrink-0 pl-1 tabular-nums" title="Cost so far">
      {formatCents(cost)}
    </span>
  );
  return (
    <>
      <StatusDot status={status} names={statusNames} isCutOff={ending === "cut off"} />
      <span className="flex min-w-0 items-center gap-1.5">
        <span
          className={classNames(
            "truncate font-medium",
            (status === "closed" || title.isUnnamed) && "text-muted-foreground",
          )}
        >
          <VisibleText text={title.text.slice(0, title.text.length - suffix.length)} />
        </span>
        {suffix && <span className="-ml-0.5 shrink-0 text-muted-foreground">{suffix.trim()}</span>}
        {session.archived && (
          <Archive role="img" aria-label="Archived" className="size-3 shrink-0 text-muted-foreground" />
        )}
        {isFork && !suffix && (
          <GitFork role="img" aria-label="Fork" className="size-3 shrink-0 text-muted-foreground" />
        )}
      </span>
      <span className="flex items-center gap-1.5 text-2xs text-muted-foreground tabular-nums pointer-fine:group-has-[button[data-state=open]]/row:invisible pointer-fine:group-has-[button:focus-visible]/row:invisible pointer-fine:group-hover/row:invisible">
        {ending && (
          <span
            role="img"
            aria-label={ENDINGS[ending]}
            title={ENDINGS[ending]}
            className={classNames(
              "font-medium",
              ending === "failed" ? "text-danger-text" : "text-waiting-text",
            )}
          >
            {ending}
          </span>
        )}
        {queued > 0 && (
          <span className="inline-flex items-center gap-0.5" title={`${queued} waiting in the queue`}>
            <Hourglass className="size-3" aria-label="queued" />
            {queued}
          </span>
        )}
        {openAsks > 1 && (
          <span
            className="inline-flex h-4 min-w-4 items-center justify-center rounded-full bg-waiting/20 px-1 font-medium text-waiting-text"
            title={`${openAsks} wait for an answer`}
          >
            {openAsks}
          </span>
        )}
        {!hasDetails && price}
        <span
          className={classNames(waitingSince !== undefined && "font-medium text-waiting-text")}
          title={`${waitingSince === undefined ? "Last changed" : "Waits since"} ${new Date(since).toLocaleString()}`}
        >
          {formatAge(since, now)}
        </span>
      </span>
      {hasDetails && (
        <span className="col-span-2 col-start-2 flex min-w-0 items-center gap-1 text-2xs text-muted-foreground">
          {tellsAgent && <AgentIcon agent={agent} className="size-3.5!" />}
          <span className="truncate">{[tellsAgent && agentName, directory].filter(Boolean).join(" · ")}</span>
          {price}
        </span>
      )}
    </>
  );
}
