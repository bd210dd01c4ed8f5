/** A session: its conversation, what waits, and where to write. */
import { ArrowDown, X } from "lucide-react";
import { type ReactNode, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { useStatusNames } from "../access/use-status-names.ts";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { PromptPart } from "../api/types.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { PlainText } from "../parts/plain-text.tsx";
import { Button } from "../ui/button.tsx";
import { excerpt } from "../ui/format.ts";
import { Composer } from "./composer.tsx";
import { EnvironmentForm, EnvironmentMissing } from "./environment-form.tsx";
import { MessageList } from "./message-list.tsx";
import { QueueList } from "./queue-list.tsx";
import { ReadOnly } from "./read-only.tsx";
import { SessionHeader } from "./session-header.tsx";
import { useDetails, useQueue } from "./use-details.ts";
import { useEscape } from "./use-escape.ts";
import { useScrolledConversation } from "./use-scrolled-conversation.ts";
import { useSessionChat } from "./use-session-chat.ts";

const TITLE_LENGTH = 60;

interface ConversationProps {
  session: string;
  /** What a phone needs in the header. */
  menu: ReactNode;
  asks: ReactNode;
}

export function Conversation({ session, ...rest }: ConversationProps) {
  const { sessions, snapshots } = useFeed();
  const summary = sessions.get(session);
  return summary ? (
    <OpenConversation session={session} summary={summary} snapshots={snapshots} {...rest} />
  ) : null;
}

interface OpenConversationProps extends ConversationProps {
  summary: SessionSummary;
  /** How often the feed has restarted, for example after a restart of the daemon. */
  snapshots: number;
}

function OpenConversation({ session, summary, snapshots, menu, asks }: OpenConversationProps) {
  const chat = useSessionChat(session);
  const details = useDetails(session, summary, `${snapshots} ${chat.messages.length}`);
  const queue = useQueue(session, summary);
  const { can } = useAccess();
  const statusNames = useStatusNames();
  const canStop = can("session.stop");
  const [problem, setProblem] = useState<string>();
  const { scrollRef, contentRef, isAtBottom, scrollToBottom } = useScrolledConversation();

  const isBusy = ["running", "waiting", "recovering"].includes(summary.status) || chat.isStreaming;
  const last = chat.messages.at(-1);
  const isStarting = isBusy && summary.status !== "waiting" && last?.role !== "assistant";

  function send(parts: PromptPart[]) {
    setProblem(undefined);
    void scrollToBottom("instant");
    if (!summary.title && chat.messages.length === 0 && can("session.settings")) nameAfter(parts);
    chat.send(parts);
  }

  /** A session without a title is named after its first prompt. */
  function nameAfter(parts: readonly PromptPart[]) {
    const text = parts.find((part) => part.type === "text")?.text;
    if (text) details.update({ title: excerpt(text, TITLE_LENGTH) }).catch(() => {});
  }

  function sendWhileBusy(parts: PromptPart[], whenBusy: "queue" | "steer") {
    setProblem(undefined);
    chat.sendWhileBusy(parts, whenBusy).catch((error) => setProblem(messageOf(error)));
  }

  function stop() {
    // Only the turn that is shown, not one that began meanwhile.
    const turn =
      last?.role === "assistant" && last.metadata?.outcome === undefined ? last.metadata?.turn : undefined;
    daemon()
      .call("POST /v1/sessions/{id}/interrupt", { params: { id: session }, body: { turn } })
      .catch((error) => setProblem(messageOf(error)));
  }

  useEscape(isBusy && canStop, stop);

  const said = problem ?? chat.problem;
  const { env = [], envRequired = false } = details.session ?? {};
  // While the agent starts, a prompt waits that the conversation shows already.
  const shown = new Set(chat.messages.map(({ id }) => id));
  const waiting = queue.filter(({ message }) => !shown.has(message));
  const steered = chat.steered.filter(
    ({ message }) => isBusy && !shown.has(message) && !waiting.some((prompt) => prompt.message === message),
  );
  return (
    <>
      <SessionHeader summary={summary} details={details} menu={menu} asks={asks} />
      <p className="sr-only" role="status" aria-live="polite">
        {statusNames[summary.status]}
      </p>
      <div className="relative min-h-0 flex-1">
        <div ref={scrollRef} className="h-full overflow-y-auto [scrollbar-gutter:stable_both-edges]">
          <div ref={contentRef} className="mx-auto max-w-[47rem] px-4 pt-5 pb-6 md:px-6">
            {chat.isLoaded && chat.messages.length === 0 && !isBusy && <Nothing agent={summary.agent} />}
            <MessageList
              chat={chat}
              session={session}
              cwd={details.session?.cwd}
              isBusy={isBusy}
              scroller={scrollRef}
              onProblem={(error) => setProblem(messageOf(error))}
            />
            {isStarting && (
              <Working text={summary.status === "recovering" ? "Taking up the conversation" : "Working"} />
            )}
            {isBusy && !isStarting && summary.status !== "waiting" && <Working />}
          </div>
        </div>
        {!isAtBottom && (
          <Button
            size="icon"
            aria-label="To the newest"
            onClick={() => scrollToBottom()}
            className="absolute bottom-3 left-1/2 -translate-x-1/2 rounded-full! shadow-pop"
          >
            <ArrowDown />
          </Button>
        )}
      </div>
      <footer className="shrink-0 px-3 pb-[max(0.75rem,env(safe-area-inset-bottom))] md:px-6">
        <div className="mx-auto max-w-[45rem]">
          {said && (
            <div
              role="alert"
              className="mb-2 flex items-start gap-2 rounded-lg border border-danger-border bg-danger-soft px-3 py-2 text-danger-text text-xs leading-5"
            >
              <span className="max-h-40 min-w-0 flex-1 overflow-y-auto [overflow-wrap:anywhere]">
                <PlainText text={said} />
              </span>
              <button
                type="button"
                aria-label="Dismiss"
                onClick={() => {
                  setProblem(undefined);
                  chat.clearProblem();
                }}
              >
                <X className="mt-1 size-3.5" />
              </button>
            </div>
          )}
          {envRequired &&
            (can("session.program") ? (
              <EnvironmentForm details={details} names={env} />
            ) : (
              <EnvironmentMissing />
            ))}
          <QueueList session={session} queue={waiting} steered={steered} />
          {can("session.prompt") ? (
            <Composer
              session={session}
              details={details}
              isBusy={isBusy}
              isClosed={summary.status === "closed"}
              unsent={chat.unsent}
              onTaken={chat.takeUnsent}
              onSend={send}
              onSendWhileBusy={sendWhileBusy}
              onStop={canStop ? stop : undefined}
            />
          ) : (
            <ReadOnly isClosed={summary.status === "closed"} />
          )}
        </div>
      </footer>
    </>
  );
}

function Working({ text }: { text?: string }) {
  return (
    <div className="mt-4 flex items-center gap-2 text-muted-foreground text-xs" aria-hidden="true">
      <span className="flex gap-1">
        {[0, 1, 2].map((dot) => (
          <span
            key={dot}
            className="size-1 animate-breathe rounded-full bg-primary-text"
            style={{ animationDelay: `${dot * 200}ms` }}
          />
        ))}
      </span>
      {text}
    </div>
  );
}

function Nothing({ agent }: { agent: string }) {
  return (
    <div className="mx-auto mt-[12vh] max-w-sm text-center text-muted-foreground">
      <p className="font-medium text-foreground">Nothing was said yet</p>
      <p className="mt-1 text-balance text-xs leading-5">
        {agent === "mock" ? (
          <>
            Ask for anything: the mock agent plays a whole turn with a permission in it. Send{" "}
            <code className="rounded bg-muted px-1 font-mono">/help</code> to see what else it can play.
          </>
        ) : (
          "The agent starts with your first prompt and works in the directory above."
        )}
      </p>
    </div>
  );
}
