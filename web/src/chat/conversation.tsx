/** A session: its conversation, what waits, and where to write. */
import { ArrowDown, Hourglass } from "lucide-react";
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import { useStatusNames } from "../access/use-status-names.ts";
import { PlayMoney, useHasPlayMoney } from "../agents/use-play-money.ts";
import { messageOf } from "../api/error-text.ts";
import type { SessionDetails } from "../api/types.ts";
import { AllowedContext } from "../asks/allowed-before.tsx";
import { AskPlace, loadAskCard } from "../asks/ask-slot.tsx";
import { Footer } from "../compose/footer.tsx";
import { quote } from "../compose/quote.ts";
import { showModels } from "../compose/show-models.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { useConnectionState, useFeed } from "../feed/use-feed.tsx";
import { useIsLost } from "../feed/use-is-lost.ts";
import { loadMarkdown } from "../parts/markdown.tsx";
import { useRoute } from "../route.ts";
import { useNow } from "../shell/use-now.ts";
import { IconButton } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { formatDuration } from "../ui/format.ts";
import { NotLoaded } from "../ui/not-loaded.tsx";
import { STOPPING } from "../ui/status-dot.tsx";
import { useSteadyCallback } from "../ui/use-steady-callback.ts";
import type { MessageCommands } from "./message-commands.ts";
import { MessageList } from "./message-list.tsx";
import { ModelNames } from "./model-names.ts";
import { hasOpenAsk } from "./page-message.ts";
import { SessionHeader } from "./session-header.tsx";
import { useDetails } from "./use-details.ts";
import { useResend } from "./use-resend.ts";
import { useScrolledConversation } from "./use-scrolled-conversation.ts";
import { useSessionChat } from "./use-session-chat.ts";
import { useStopping } from "./use-stopping.ts";
import { WorkingLine } from "./working-line.tsx";

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

const NO_MODELS: readonly never[] = [];

function OpenConversation({ session, summary, snapshots, menu, asks }: OpenConversationProps) {
  const { chat, ...streamed } = useSessionChat(session);
  // What is drawn may be a moment old: whoever writes does not wait for an answer that streams.
  const messages = useDeferredValue(streamed.messages);
  const liveOutput = useDeferredValue(streamed.liveOutput);
  const details = useDetails(session, summary, snapshots, chat.ids.size);
  const statusNames = useStatusNames();
  const [problem, setProblem] = useState<string>();
  const { scrollRef, contentRef, isAtBottom, scrollToBottom, stopScroll } = useScrolledConversation();

  const route = useRoute();
  const named = route.view === "session" && route.session === session ? route.message : undefined;
  const { can } = useAccess();
  const canPrompt = can("session.prompt") && summary.status !== "closed";
  const canRewrite = canPrompt && can("session.rewrite") && details.agent?.capabilities.rewind === true;
  const { edit, regenerate } = chat;
  const resend = useResend(chat);
  const models = details.session?.models ?? details.agent?.status?.models ?? NO_MODELS;
  const canChangeModel =
    canPrompt &&
    can("session.settings") &&
    details.agent?.capabilities.setModel === true &&
    models.length > 1;
  const commands = useMemo<MessageCommands>(
    () => ({
      ...(canRewrite && { edit, regenerate }),
      ...(canPrompt && { quote, retry: canRewrite ? regenerate : resend }),
      ...(canChangeModel && { changeModel: showModels }),
    }),
    [canRewrite, canPrompt, canChangeModel, edit, regenerate, resend],
  );

  const isLost = useIsLost();
  const isLive = useConnectionState() === "live";
  useEffect(() => {
    // While the messages are on their way.
    if (isLive) void loadMarkdown();
  }, [isLive]);
  const last = messages.at(-1);
  // The card may be there before the list says that the session waits: it would move as soon as it does.
  const isWaiting = summary.status === "waiting" || (last !== undefined && hasOpenAsk(last));
  useEffect(() => {
    // Where it does not arrive, the card asks for it again.
    if (isWaiting && isLive) loadAskCard().catch(() => {});
  }, [isWaiting, isLive]);

  const isBusy = isWaiting || ["running", "recovering"].includes(summary.status) || chat.isStreaming;
  const waitsFor = summary.status === "recovering" ? details.session?.waitsFor : undefined;
  const [isStopping, setIsStopping] = useStopping(streamed.messages, isBusy);
  const onStopping = useSteadyCallback(setIsStopping);
  const onListProblem = useCallback((error: unknown) => setProblem(messageOf(error)), []);

  const hasPlayMoney = useHasPlayMoney();
  return (
    <>
      <SessionHeader summary={summary} isStopping={isStopping} menu={menu} asks={asks} />
      <p className="sr-only" role="status" aria-live="polite">
        {isStopping ? STOPPING : statusNames[summary.status]}
      </p>
      <div className="relative min-h-0 flex-1">
        <div ref={scrollRef} className="h-full overflow-y-auto [scrollbar-gutter:stable_both-edges]">
          {/* On a phone what is new stands where the thumb is. */}
          <div className="max-md:flex max-md:min-h-full max-md:flex-col">
            <div
              ref={contentRef}
              className={classNames(
                "mx-auto w-full max-w-[48rem] px-4 pt-5 pb-6 md:px-6",
                chat.ids.size > 0 && "max-md:mt-auto",
              )}
            >
              {chat.isLoaded && chat.ids.size === 0 && !isBusy && <Nothing agent={summary.agent} />}
              {!chat.isLoaded && chat.ids.size === 0 && <NotLoaded />}
              <ModelNames value={models}>
                <PlayMoney value={hasPlayMoney(summary.agent)}>
                  <AllowedContext value={details.session?.alwaysAllowed}>
                    <MessageList
                      messages={messages}
                      liveOutput={liveOutput}
                      chat={chat}
                      session={session}
                      cwd={details.session?.cwd}
                      isBusy={isBusy}
                      commands={commands}
                      named={named}
                      scroller={scrollRef}
                      onLeaveEnd={stopScroll}
                      onProblem={onListProblem}
                    />
                  </AllowedContext>
                </PlayMoney>
              </ModelNames>
              {/* The message that asks is still being written, and comes after those before it. */}
              {isWaiting && chat.isLoaded && last?.role === "user" && (
                <div className="pt-5">
                  <AskPlace />
                </div>
              )}
              {isBusy && isLost && <NotConnected />}
              {isBusy && !isWaiting && !isLost && waitsFor && <WaitingLine {...waitsFor} />}
              {isBusy && !isWaiting && !isLost && !waitsFor && (
                <WorkingLine
                  last={last}
                  cwd={details.session?.cwd}
                  isRecovering={summary.status === "recovering"}
                  isStopping={isStopping}
                  canStop={can("session.stop")}
                />
              )}
            </div>
          </div>
        </div>
        {!isAtBottom && (
          <div className="pointer-events-none absolute inset-x-0 bottom-3 z-10 mx-auto flex max-w-[48rem] justify-end px-4 md:px-6">
            <IconButton
              icon={ArrowDown}
              look="plain"
              label="To the newest"
              onClick={() => scrollToBottom()}
              className="pointer-events-auto rounded-full! shadow-pop"
            />
          </div>
        )}
      </div>
      <Footer
        session={session}
        summary={summary}
        chat={chat}
        details={details}
        isBusy={isBusy}
        isStopping={isStopping}
        onStopping={onStopping}
        problem={problem}
        onProblem={setProblem}
        onSend={scrollToBottom}
      />
    </>
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

/** In place of what the agent does: without a connection nobody knows. */
function NotConnected() {
  const { lostAt } = useFeed();
  const now = useNow(1000);
  const seconds = Math.max(0, Math.floor((now - (lostAt ?? now)) / 1000));
  return (
    <p data-not-connected className="mt-4 text-muted-foreground text-xs tabular-nums">
      Not connected · last heard {seconds < 60 ? `${seconds}s` : formatDuration(seconds * 1000)} ago
    </p>
  );
}

/** What a session among nodes waits for, in place of what its agent does. */
function WaitingLine({ node, nodeNumber, agent }: NonNullable<SessionDetails["waitsFor"]>) {
  return (
    <p data-part="waits-for" className="mt-4 flex items-start gap-2 text-muted-foreground text-xs">
      <Hourglass aria-hidden="true" className="mt-px size-3.5 shrink-0" />
      {node !== undefined
        ? `Waits for the node ${node}${nodeNumber === undefined ? "" : ` (number ${nodeNumber})`}, which has its files and is gone. It goes on when that is started again.`
        : `Waits for a node that has the agent ${agent}.`}
    </p>
  );
}
