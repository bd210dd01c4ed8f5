/** Everything that waits for a person, over all sessions, to be answered on the spot. */
import { ArrowUpRight, CircleCheck } from "lucide-react";
import { useMyAsks } from "../access/use-my-asks.ts";
import { useAgentNames } from "../agents/use-agent-names.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { NotificationSwitch } from "../notices/notification-switch.tsx";
import { valueText } from "../parts/tool-summary.ts";
import { linkTo } from "../route.ts";
import { useSessionTitle } from "../sessions/use-session-title.ts";
import { useNow } from "../shell/use-now.ts";
import { AgentIcon } from "../ui/agent-icon.tsx";
import { BoundedList } from "../ui/bounded-list.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { formatAge } from "../ui/format.ts";
import { FetchedAsk } from "./fetched-ask.tsx";
import { LeftAsk } from "./left-ask.tsx";
import { useLeftAsks } from "./use-left-asks.ts";

export default function AsksPanel({ onOpen }: { onOpen: (session: string) => void }) {
  const { sessions } = useFeed();
  const asks = useMyAsks();
  const now = useNow(30_000);
  const nameOf = useAgentNames();
  const { shown, hasLeft, onAnswered, forget } = useLeftAsks(asks);
  if (shown.length === 0) {
    return (
      <div className="grid flex-1 place-items-center p-8 text-center text-muted-foreground">
        <div>
          <CircleCheck className="mx-auto size-7 text-success" strokeWidth={1.5} />
          <p className="mt-3 font-medium text-foreground">Nothing waits for you</p>
          <p className="mt-1 mb-5 text-balance text-xs leading-5">
            Permissions, questions and plans of all sessions appear here as soon as an agent asks.
          </p>
          <NotificationSwitch />
        </div>
      </div>
    );
  }
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <ul className="min-h-0 flex-1 overflow-y-auto p-3.5 pt-0">
        <BoundedList
          items={shown}
          step={20}
          name="asks"
          wrap={(button) => <li className="mt-4">{button}</li>}
        >
          {(ask, index) => {
            const session = sessions.get(ask.session);
            const isSameSession = shown[index - 1]?.session === ask.session;
            return (
              <li key={`${ask.session} ${ask.ask}`} className={isSameSession ? "mt-2" : "mt-4"}>
                {!isSameSession && (
                  <div className="mb-1.5 flex items-center gap-2 px-0.5 text-xs">
                    {session && <AgentIcon agent={session.agent} className="size-4" />}
                    <a
                      href={linkTo({ view: "session", session: ask.session })}
                      onClick={({ metaKey, ctrlKey }) => !metaKey && !ctrlKey && onOpen(ask.session)}
                      className="group flex min-w-0 items-center gap-1 font-medium hover:text-primary-text touch:min-h-10"
                    >
                      <SessionTitle id={ask.session} summary={session} />
                      <ArrowUpRight className="size-3 shrink-0 text-muted-foreground group-hover:text-primary-text" />
                    </a>
                    <span className="ml-auto shrink-0 text-2xs text-muted-foreground">
                      {session && `${nameOf(session.agent)} · `}
                      {formatAge(ask.at, now)}
                    </span>
                  </div>
                )}
                <ErrorBoundary name="This ask" text={() => valueText(ask)} resetOn={ask}>
                  {hasLeft(ask) ? (
                    <LeftAsk ask={ask} onRead={forget} />
                  ) : (
                    <FetchedAsk ask={ask} cwd={session?.cwd} onAnswered={onAnswered} />
                  )}
                </ErrorBoundary>
              </li>
            );
          }}
        </BoundedList>
      </ul>
      <div className="border-t p-3 empty:hidden">
        <NotificationSwitch />
      </div>
    </div>
  );
}

function SessionTitle({ id, summary }: { id: string; summary: SessionSummary | undefined }) {
  return <span className="truncate">{useSessionTitle(id, summary).text}</span>;
}
