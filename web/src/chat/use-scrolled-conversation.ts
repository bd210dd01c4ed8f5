/** Keeps a conversation scrolled to its end, whether the content grows or the space for it shrinks. */
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
    // Waiting prompts or a longer draft shrink the conversation, and the buttons of an ask would scroll out of view.
    const observer = new ResizeObserver(() => {
      if (wasAtBottom.current) void scrollToBottom("instant");
    });
    observer.observe(scroller);
    return () => observer.disconnect();
  }, [scrollRef, scrollToBottom]);
  return stick;
}
