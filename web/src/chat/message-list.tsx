/** The messages of a conversation, the newest last. Earlier ones come when asked for, and what is read stays in place. */
import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import { Button } from "../ui/button.tsx";
import { MessageView } from "./message-view.tsx";
import type { SessionChat } from "./use-session-chat.ts";

interface MessageListProps {
  chat: SessionChat;
  session: string;
  cwd: string | undefined;
  isBusy: boolean;
  /** What is scrolled. */
  scroller: RefObject<HTMLElement | null>;
  onProblem: (error: unknown) => void;
}

/** How many messages are in the page at first, and how many more with each press. */
const STEP = 60;

const NO_OUTPUT: ReadonlyMap<string, string> = new Map();

export function MessageList({ chat, session, cwd, isBusy, scroller, onProblem }: MessageListProps) {
  const [most, setMost] = useState(2 * STEP);
  const { messages } = chat;
  const hidden = Math.max(0, messages.length - most);
  const last = messages.at(-1);
  const keepPlace = useKeptPlace(scroller, messages.length - hidden);

  async function showEarlier(): Promise<void> {
    keepPlace();
    try {
      if (hidden === 0) await chat.loadEarlier();
      setMost(most + STEP);
    } catch (error) {
      onProblem(error);
    }
  }

  return (
    <>
      {(hidden > 0 || chat.hasEarlier) && (
        <div className="mb-5 text-center">
          <Button size="small" look="ghost" onClick={showEarlier}>
            Load earlier messages
          </Button>
        </div>
      )}
      <div className="space-y-5" role="log" aria-label="Conversation" aria-live="off" aria-busy={isBusy}>
        {(hidden > 0 ? messages.slice(hidden) : messages).map((message) => {
          const isLive = isBusy && message === last && message.metadata?.outcome === undefined;
          return (
            <MessageView
              key={message.id}
              message={message}
              session={session}
              cwd={cwd}
              isLive={isLive}
              liveOutput={isLive ? chat.liveOutput : NO_OUTPUT}
            />
          );
        })}
      </div>
    </>
  );
}

/**
 * Returns a function to call before content is inserted above: what is in view then stays there when `count` changes.
 */
function useKeptPlace(scroller: RefObject<HTMLElement | null>, count: number): () => void {
  const mark = useRef<{ element: Element; top: number }>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is above changes with the number of messages
  useLayoutEffect(() => {
    const { element, top } = mark.current ?? {};
    mark.current = undefined;
    if (!element || top === undefined || !scroller.current) return;
    scroller.current.scrollTop += element.getBoundingClientRect().top - top;
  }, [scroller, count]);
  return () => {
    const element = scroller.current?.querySelector("[data-message]");
    if (element) mark.current = { element, top: element.getBoundingClientRect().top };
  };
}
