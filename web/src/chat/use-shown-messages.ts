/** The messages of a chat as they are shown. They are others with every chunk; which ones there are changes seldom. */
import { type Chat, useChat } from "@ai-sdk/react";
import { useMemo, useRef } from "react";
import type { ChatMessage } from "./page-message.ts";
import { steadyMessage } from "./steady-message.ts";

/** The render interval while streaming. */
const THROTTLE_MS = 40;

export interface ShownMessages {
  messages: readonly ChatMessage[];
  /** The same object for as long as these messages are shown. */
  ids: ReadonlySet<string>;
  /** Whether a response is being read. */
  isStreaming: boolean;
}

export function useShownMessages(chat: Chat<ChatMessage>): ShownMessages {
  const { messages: latest, status } = useChat<ChatMessage>({ chat, throttle: THROTTLE_MS });
  const isStreaming = status === "submitted" || status === "streaming";
  const shownLast = useRef<ChatMessage>(undefined);
  const messages = useMemo(() => {
    const last = latest.at(-1);
    const steady = last && steadyMessage(shownLast.current, last, isStreaming);
    shownLast.current = steady;
    return steady === last || !steady ? latest : [...latest.slice(0, -1), steady];
  }, [latest, isStreaming]);

  const shownIds = useRef<ReadonlySet<string>>(new Set());
  const ids = useMemo(() => {
    const isSame =
      messages.length === shownIds.current.size && messages.every(({ id }) => shownIds.current.has(id));
    if (!isSame) shownIds.current = new Set(messages.map(({ id }) => id));
    return shownIds.current;
  }, [messages]);
  return { messages, ids, isStreaming };
}
