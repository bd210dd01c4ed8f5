/** Stays at the newest of a conversation, whether the content grows or the room for it shrinks. */
import { useEffect, useRef } from "react";
import { type StickToBottomInstance, useStickToBottom } from "use-stick-to-bottom";

export function useScrolledConversation(): StickToBottomInstance {
  const stick = useStickToBottom({ initial: "instant", resize: "instant" });
  const { scrollRef, scrollToBottom, isAtBottom } = stick;
  const wasAtBottom = useRef(isAtBottom);
  wasAtBottom.current = isAtBottom;
  useEffect(() => {
    const scroller = scrollRef.current;
    if (!scroller) return;
    // What waits, or a longer draft, takes room from the conversation: the buttons of an ask would go out of sight.
    const observer = new ResizeObserver(() => {
      if (wasAtBottom.current) void scrollToBottom("instant");
    });
    observer.observe(scroller);
    return () => observer.disconnect();
  }, [scrollRef, scrollToBottom]);
  return stick;
}
