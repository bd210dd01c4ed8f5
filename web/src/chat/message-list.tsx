/**
 * The messages of a conversation, the newest last. Only those near the window are in the page; earlier ones are loaded
 * when somebody scrolls up to them, and what is read stays in place.
 */
import { memo, type RefObject, useCallback, useEffect, useMemo, useRef, useState } from "react";
import { Virtualizer, type VirtualizerHandle } from "virtua";
import { RestoresContext, useRestores } from "../files/use-restores.ts";
import { classNames } from "../ui/class-names.ts";
import { Spinner } from "../ui/spinner.tsx";
import type { MessageCommands } from "./message-commands.ts";
import { MessageView } from "./message-view.tsx";
import { type ChatMessage, hasOpenAsk } from "./page-message.ts";
import { useNamedMessage } from "./use-named-message.ts";
import type { SessionChat } from "./use-session-chat.ts";

interface MessageListProps {
  messages: readonly ChatMessage[];
  liveOutput: ReadonlyMap<string, string>;
  chat: SessionChat;
  session: string;
  cwd: string | undefined;
  isBusy: boolean;
  /** What a person may do with a message. */
  commands: MessageCommands;
  /** The message that the address names. */
  named: string | undefined;
  /** What is scrolled. */
  scroller: RefObject<HTMLElement | null>;
  /** Lets go of the end of the conversation. */
  onLeaveEnd: () => void;
  onProblem: (error: unknown) => void;
}

/** A short conversation is in the page as a whole, for example for the browser's own search. */
const SHORT = 20;
/** How far from the first message earlier ones begin to load, in pixels. */
const NEAR_START = 1_200;
/** How much beyond the window is in the page, in pixels. */
const BUFFER = 600;
/** The space above the first message, as `conversation.tsx` sets it. */
const START_MARGIN = 20;

const NO_OUTPUT: ReadonlyMap<string, string> = new Map();

export const MessageList = memo(function MessageList(props: MessageListProps) {
  const { messages, liveOutput, chat, session, cwd, isBusy, commands, named, scroller } = props;
  const { onLeaveEnd, onProblem } = props;
  const { hasEarlier } = chat;
  const list = useRef<VirtualizerHandle>(null);
  const [kept] = useState(() => new Map<string, unknown>());
  const [focused, setFocused] = useState<string>();
  const isShifted = useIsShifted(messages);
  const last = messages.at(-1);
  const hasEdits = useMemo(() => messages.some(changesFiles), [messages]);
  const restores = useRestores(session, hasEdits);
  const { isLoading, load } = useEarlier(chat, onProblem);
  useNamedMessage({ chat, messages, named, list, load, isLoading, onLeaveEnd, onProblem });

  const loadNearStart = useCallback(() => {
    const { scrollOffset = 0 } = list.current ?? {};
    if (scrollOffset < NEAR_START) load();
  }, [load]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was loaded may not fill the window
  useEffect(() => {
    if (hasEarlier && (list.current?.scrollSize ?? 0) <= (list.current?.viewportSize ?? 0)) load();
  }, [messages.length, hasEarlier, load]);

  const keepMounted = useMemo(
    () =>
      messages.flatMap((message, index) =>
        messages.length <= SHORT ||
        index === messages.length - 1 ||
        message.id === focused ||
        (index > messages.length - SHORT && hasOpenAsk(message))
          ? index
          : [],
      ),
    [messages, focused],
  );

  return (
    <>
      {isLoading && (
        <p className="absolute inset-x-0 top-2 z-10 flex justify-center" role="status">
          <span className="flex items-center gap-2 rounded-full border bg-raised px-3 py-1 text-muted-foreground text-xs shadow-pop">
            <Spinner label="" /> Loading earlier messages
          </span>
        </p>
      )}
      <div
        role="log"
        aria-label="Conversation"
        aria-live="off"
        aria-busy={isBusy}
        onFocus={({ target }) =>
          setFocused(target.closest("[data-message]")?.getAttribute("data-message") ?? undefined)
        }
      >
        <RestoresContext value={restores}>
          <Virtualizer
            ref={list}
            data={messages}
            scrollRef={scroller}
            startMargin={START_MARGIN}
            shift={isShifted}
            bufferSize={BUFFER}
            keepMounted={keepMounted}
            onScroll={loadNearStart}
          >
            {(message: ChatMessage, index) => {
              const isLast = message === last;
              const isLive = isBusy && isLast && message.metadata?.outcome === undefined;
              return (
                <div key={message.id} className={classNames(index < messages.length - 1 && "pb-5")}>
                  <MessageView
                    message={message}
                    session={session}
                    cwd={cwd}
                    isLive={isLive}
                    isLast={isLast}
                    isNamed={message.id === named}
                    liveOutput={isLive ? liveOutput : NO_OUTPUT}
                    kept={kept}
                    commands={commands}
                  />
                  {chat.uncertain.has(message.id) && (
                    <p data-unsent className="mt-1 mr-1 text-right text-2xs text-waiting-text">
                      Not sent yet
                    </p>
                  )}
                </div>
              );
            }}
          </Virtualizer>
        </RestoresContext>
      </div>
    </>
  );
});

function changesFiles({ parts }: ChatMessage): boolean {
  return parts.some(({ type }) => type === "data-file-edit");
}

/** Whether messages were put in front of those that were shown before. */
function useIsShifted(messages: readonly ChatMessage[]): boolean {
  const before = useRef(messages);
  const was = before.current[0]?.id;
  const isShifted = was !== undefined && messages[0]?.id !== was && messages.some(({ id }) => id === was);
  useEffect(() => {
    before.current = messages;
  }, [messages]);
  return isShifted;
}

interface Earlier {
  isLoading: boolean;
  /** Loads more, unless it does already or there is no more. */
  load: (count?: number) => void;
}

function useEarlier(chat: SessionChat, onProblem: (error: unknown) => void): Earlier {
  const [isLoading, setIsLoading] = useState(false);
  const isBusy = useRef(false);
  const latest = useRef({ chat, onProblem });
  latest.current = { chat, onProblem };
  const load = useCallback((count?: number) => {
    const { chat, onProblem } = latest.current;
    if (isBusy.current || !chat.isLoaded || !chat.hasEarlier) return;
    isBusy.current = true;
    setIsLoading(true);
    chat
      .loadEarlier(count)
      .catch(onProblem)
      .finally(() => {
        isBusy.current = false;
        setIsLoading(false);
      });
  }, []);
  return { isLoading, load };
}
