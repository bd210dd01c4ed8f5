/** What stands below a conversation: what went wrong, what waits, and where to write. */
import { X } from "lucide-react";
import { memo, useCallback, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { useMyAsks } from "../access/use-my-asks.ts";
import { useReread } from "../api/use-reread.ts";
import type { Details } from "../chat/use-details.ts";
import type { SessionChat } from "../chat/use-session-chat.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { useConnectionState } from "../feed/use-feed.tsx";
import { useIsLost } from "../feed/use-is-lost.ts";
import { PlainText } from "../parts/plain-text.tsx";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Composer } from "./composer.tsx";
import { textOf } from "./prompt-text.ts";
import { type Queue, readQueue } from "./read-queue.ts";
import { TasksBar } from "./tasks-bar.tsx";
import { useEscape } from "./use-escape.ts";
import { useTasks } from "./use-tasks.ts";
import { useTurnCommands } from "./use-turn-commands.ts";

// Most conversations are read and written without these.
const ClosedSession = lazyPart(() => import("./closed-session.tsx"));
const EnvironmentForm = lazyPart(() => import("./environment-form.tsx"));
const QueueList = lazyPart(() => import("./queue-list.tsx"));

interface FooterProps {
  session: string;
  summary: SessionSummary;
  chat: SessionChat;
  details: Details;
  isBusy: boolean;
  /** Whether the turn was told to stop; called when it is, and when that failed. */
  isStopping: boolean;
  onStopping: (isStopping: boolean) => void;
  /** What went wrong outside of the chat, for example with an answer to an ask. */
  problem: string | undefined;
  onProblem: (problem: string | undefined) => void;
  /** Called when a prompt begins a turn. */
  onSend: () => void;
}

/** Renders when something about the session changes, not with an answer that streams: somebody may be typing. */
export const Footer = memo(function Footer(props: FooterProps) {
  const { session, summary, chat, details, isBusy, isStopping, onStopping, onProblem, onSend } = props;
  const { prompts, held } = useQueue(session, summary);
  const { can } = useAccess();
  const canStop = can("session.stop");
  const tasks = useTasks(session, summary);
  const isLost = useIsLost();
  const isAsked = useMyAsks().some((ask) => ask.session === session);
  const agent = details.agent?.capabilities;
  const { send, sendWhileBusy, stop } = useTurnCommands({
    ...{ summary, chat, details, onProblem, onSend, onStopping },
  });
  const { getMessages } = chat;
  const getHistory = useCallback(() => promptTexts(getMessages()), [getMessages]);
  useEscape(isBusy && canStop && !isLost && !isStopping, stop);

  const problem = props.problem ?? chat.problem;
  const { env = [], envRequired = false } = details.session ?? {};
  // While the agent starts, a prompt waits that the conversation shows already.
  const waiting = prompts.filter(({ message }) => !chat.ids.has(message));
  const steered = chat.steered.filter(
    ({ message }) =>
      isBusy && !chat.ids.has(message) && !waiting.some((prompt) => prompt.message === message),
  );
  return (
    <footer className="relative shrink-0 px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6 md:before:pointer-events-none md:before:absolute md:before:inset-x-3 md:before:bottom-full md:before:h-6 md:before:bg-linear-to-t md:before:from-background md:before:to-transparent">
      <div className="mx-auto max-w-[45rem]">
        {problem && (
          <div
            role="alert"
            className="mb-2 flex items-start gap-2 rounded-lg border border-danger-border bg-danger-soft px-3 py-2 text-danger-text text-xs leading-5"
          >
            <span className="max-h-40 min-w-0 flex-1 overflow-y-auto [overflow-wrap:anywhere]">
              <PlainText text={problem} />
            </span>
            <button
              type="button"
              aria-label="Dismiss"
              className="touch:-my-2.5 touch:-mr-3 touch:grid touch:size-10 touch:place-items-center"
              onClick={() => {
                onProblem(undefined);
                chat.clearProblem();
              }}
            >
              <X className="size-3.5 pointer-fine:mt-1" />
            </button>
          </div>
        )}
        {envRequired && <EnvironmentForm details={details} names={env} />}
        <TasksBar session={session} tasks={tasks} canStop={canStop && agent?.stopTasks === true} />
        {waiting.length + steered.length > 0 && (
          <QueueList
            session={session}
            queue={waiting}
            held={held}
            steered={steered}
            canSteer={agent?.steer === true}
          />
        )}
        {summary.status === "closed" ? (
          <ClosedSession session={session} />
        ) : can("session.prompt") ? (
          <Composer
            session={session}
            details={details}
            isBusy={isBusy}
            isStopping={isStopping}
            isAsked={isAsked}
            getHistory={getHistory}
            unsent={chat.unsent}
            onTaken={chat.takeUnsent}
            onSend={send}
            onSendWhileBusy={sendWhileBusy}
            onStop={canStop ? stop : undefined}
          />
        ) : (
          <ReadOnly />
        )}
      </div>
    </footer>
  );
});

/** Newest first. */
function promptTexts(messages: ReturnType<SessionChat["getMessages"]>): string[] {
  return messages.flatMap(({ role, parts }) => (role === "user" ? [textOf(parts)] : [])).reverse();
}

const NO_QUEUE: Queue = { prompts: [], held: undefined };

/** The prompts of a session that wait, read again as the session goes on. */
function useQueue(id: string, { queued, status, head }: SessionSummary): Queue {
  const [queue, setQueue] = useState(NO_QUEUE);
  const connection = useConnectionState();
  // As many may be others, or in another order: only the head tells.
  useReread(
    { of: `${id} ${connection}`, now: `${queued} ${status}`, soon: queued > 0 ? head : 0 },
    async (signal) => {
      // If nothing waits, nothing has to be loaded.
      if (queued === 0) return setQueue(NO_QUEUE);
      const next = await readQueue(id, signal).catch(() => undefined);
      if (next && !signal.aborted) setQueue(next);
    },
  );
  return queued === 0 ? NO_QUEUE : queue;
}

/** Stands where others write, for whoever may not. */
function ReadOnly() {
  const { me } = useAccess();
  return (
    <p className="rounded-xl border border-dashed px-4 py-3 text-center text-muted-foreground">
      {`You watch as ${me.role}. To take part, ask for an invitation as participant.`}
    </p>
  );
}
