/** What a row says of a session: how it stands, what it goes by, whose agent it is, where, how old, what it cost. */
import { Archive, GitFork, Hourglass, MessageCircleQuestionMark } from "lucide-react";
import { useStatusNames } from "../access/use-status-names.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { AgentIcon } from "../ui/agent-icon.tsx";
import { classNames } from "../ui/class-names.ts";
import { formatAge, formatCost } from "../ui/format.ts";
import { StatusDot } from "../ui/status-dot.tsx";
import type { SessionTitle } from "./use-session-title.ts";

/** Dollars. Less is not told apart in a list. */
const MIN_COST = 0.01;

interface SessionFaceProps {
  session: SessionSummary;
  title: SessionTitle;
  now: number;
  isFork: boolean;
  /** Undefined where it is not told here. */
  directory: string | undefined;
}

/** The cells of a grid with three columns. */
export function SessionFace({ session, title, now, isFork, directory }: SessionFaceProps) {
  const { agent, cost, openAsks, queued, status } = session;
  const agentName = useAgentNames()(agent);
  const statusNames = useStatusNames();
  return (
    <>
      <StatusDot status={status} names={statusNames} />
      <span
        className={classNames(
          "truncate font-medium",
          (status === "closed" || title.isUnnamed) && "text-muted-foreground",
        )}
      >
        {title.text}
      </span>
      <span className="flex items-center gap-1.5 text-2xs text-muted-foreground tabular-nums pointer-fine:group-has-[button[data-state=open]]/row:invisible pointer-fine:group-has-[button:focus-visible]/row:invisible pointer-fine:group-hover/row:invisible">
        {queued > 0 && (
          <span className="inline-flex items-center gap-0.5" title={`${queued} waiting in the queue`}>
            <Hourglass className="size-3" aria-label="queued" />
            {queued}
          </span>
        )}
        {openAsks > 0 ? (
          <span
            className="inline-flex h-4.5 items-center gap-0.5 rounded-full bg-waiting/18 px-1.5 font-medium text-waiting-text"
            title="Waits for an answer"
          >
            <MessageCircleQuestionMark className="size-3" aria-label="open asks" />
            {openAsks}
          </span>
        ) : (
          <span title={`Last changed ${new Date(session.updatedAt).toLocaleString()}`}>
            {formatAge(session.updatedAt, now)}
          </span>
        )}
      </span>
      <span className="col-span-2 col-start-2 flex min-w-0 items-center gap-1 text-2xs text-muted-foreground">
        <AgentIcon agent={agent} className="size-3.5!" />
        <span className="truncate">
          {agentName}
          {directory && ` · ${directory}`}
        </span>
        {session.archived && <Archive role="img" aria-label="Archived" className="size-3 shrink-0" />}
        {isFork && <GitFork role="img" aria-label="Fork" className="size-3 shrink-0" />}
        {cost !== undefined && cost > 0 && (
          <span className="ml-auto shrink-0 pl-1 tabular-nums" title="Cost so far">
            {cost < MIN_COST ? "<$0.01" : formatCost(cost)}
          </span>
        )}
      </span>
    </>
  );
}
