import { Hourglass, MessageCircleQuestionMark } from "lucide-react";
import { useStatusNames } from "../access/use-status-names.ts";
import { openSession } from "../route.ts";
import { useNow } from "../shell/use-now.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { classNames } from "../ui/class-names.ts";
import { folderName, formatAge } from "../ui/format.ts";
import { StatusDot } from "../ui/status-dot.tsx";
import type { ListedSession, SessionGroup } from "./group-sessions.ts";
import { useSessionTitle } from "./use-session-title.ts";

interface SessionListProps {
  groups: readonly SessionGroup[];
  selected: string | undefined;
  onOpen: () => void;
}

export function SessionList({ groups, selected, onOpen }: SessionListProps) {
  const now = useNow(30_000);
  return (
    <div className="space-y-4">
      {groups.map((group) => (
        <section key={group.name} aria-label={group.name}>
          <h3 className="px-2 pb-1 font-medium text-2xs text-muted-foreground">{group.name}</h3>
          <ul>
            <BoundedList
              items={group.sessions}
              step={100}
              name="sessions"
              wrap={(button) => <li className="p-1">{button}</li>}
            >
              {(session) => (
                <li key={session.session}>
                  <SessionRow
                    session={session}
                    now={now}
                    isSelected={session.session === selected}
                    onOpen={onOpen}
                  />
                </li>
              )}
            </BoundedList>
          </ul>
        </section>
      ))}
    </div>
  );
}

interface SessionRowProps {
  session: ListedSession;
  now: number;
  isSelected: boolean;
  onOpen: () => void;
}

function SessionRow({ session, now, isSelected, onOpen }: SessionRowProps) {
  const { openAsks, queued, status } = session;
  const title = useSessionTitle(session.session, session);
  return (
    <button
      type="button"
      data-session={session.session}
      data-status={status}
      aria-current={isSelected ? "page" : undefined}
      onClick={() => {
        openSession(session.session);
        onOpen();
      }}
      className={classNames(
        "grid w-full grid-cols-[0.875rem_1fr_auto] items-center gap-x-1.5 rounded-md px-2 py-1.5 text-left max-md:py-2",
        isSelected ? "bg-selected" : "hover:bg-hover",
      )}
    >
      <StatusDot status={status} names={useStatusNames()} />
      <span
        className={classNames(
          "truncate font-medium",
          status === "closed" && "text-muted-foreground",
          title.isId && "font-mono text-xs",
        )}
      >
        {title.text}
      </span>
      <span className="flex items-center gap-1.5 text-2xs text-muted-foreground tabular-nums">
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
          formatAge(session.updatedAt, now)
        )}
      </span>
      <span className="col-span-2 col-start-2 truncate text-2xs text-muted-foreground">
        {session.agent}
        {session.cwd && <span className="text-muted-foreground/90"> · {folderName(session.cwd)}</span>}
      </span>
    </button>
  );
}
