/** Shows the message that the address names: earlier ones are loaded until it is there. */
import { type RefObject, useEffect, useRef } from "react";
import type { VirtualizerHandle } from "virtua";
import type { ChatMessage } from "./page-message.ts";
import type { SessionChat } from "./use-session-chat.ts";

interface NamedMessageOptions {
  chat: SessionChat;
  /** Those that are in the list. */
  messages: readonly ChatMessage[];
  named: string | undefined;
  list: RefObject<VirtualizerHandle | null>;
  load: (count: number) => void;
  isLoading: boolean;
  onLeaveEnd: () => void;
  onProblem: (error: unknown) => void;
}

/** How many are loaded at once on the way to it. */
const STRIDE = 200;

export function useNamedMessage(options: NamedMessageOptions): void {
  const { chat, messages, named, list, load, isLoading, onLeaveEnd, onProblem } = options;
  /** Shown once; afterwards the person scrolls. */
  const shown = useRef<string>(undefined);
  const { isLoaded, hasEarlier } = chat;
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for again with every page of messages
  useEffect(() => {
    if (named === undefined) shown.current = undefined;
    if (named === undefined || shown.current === named || !isLoaded || isLoading) return;
    // The list is about to get more.
    if (messages !== chat.getMessages()) return;
    const index = messages.findIndex(({ id }) => id === named);
    if (index < 0 && hasEarlier) return load(STRIDE);
    shown.current = named;
    if (index < 0) return onProblem(new Error("That message is not in this conversation any more."));
    onLeaveEnd();
    list.current?.scrollToIndex(index, { align: "start", offset: -20 });
  }, [named, messages, isLoaded, hasEarlier, isLoading]);
}
