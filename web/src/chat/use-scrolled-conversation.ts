/** Keeps a conversation scrolled to its end, whether the content grows or the space for it shrinks, until somebody leaves it. */
import { type RefObject, useCallback, useEffect, useRef, useState } from "react";

export interface ScrolledConversation {
  /** What is scrolled. */
  scrollRef: RefObject<HTMLDivElement | null>;
  /** What is inside of it. */
  contentRef: RefObject<HTMLDivElement | null>;
  isAtBottom: boolean;
  /** Goes to the end and stays there. */
  scrollToBottom: () => void;
  /** Stays where it is when more comes. */
  stopScroll: () => void;
}

/** This near to the end is at the end, in pixels. */
const NEAR = 40;
/** A scroll after this long is not the person's doing. */
const GESTURE_MS = 600;
/** So much at once is somebody's doing in any case, such as the browser's search or a screen reader. */
const JUMP = 150;

export function useScrolledConversation(): ScrolledConversation {
  const scrollRef = useRef<HTMLDivElement>(null);
  const contentRef = useRef<HTMLDivElement>(null);
  const isHeld = useRef(true);
  /** Told to leave the end, and still there. */
  const isLeaving = useRef(false);
  const [isAtBottom, setIsAtBottom] = useState(true);

  const toEnd = useCallback(() => {
    const scroller = scrollRef.current;
    if (scroller) scroller.scrollTop = scroller.scrollHeight;
  }, []);

  useEffect(() => {
    const scroller = scrollRef.current;
    const content = contentRef.current;
    if (!scroller || !content) return;
    let top = scroller.scrollTop;
    let height = scroller.scrollHeight;
    let gestureAt = Number.NEGATIVE_INFINITY;
    const onGesture = () => {
      gestureAt = performance.now();
    };
    const onScroll = () => {
      const { scrollTop, scrollHeight, clientHeight } = scroller;
      const distance = scrollHeight - scrollTop - clientHeight;
      const up = top - scrollTop;
      const isGesture = performance.now() - gestureAt < GESTURE_MS;
      if (distance > NEAR) isLeaving.current = false;
      if (distance <= 2) isHeld.current = !isLeaving.current;
      else if (up > 0 && (isGesture || (up > JUMP && scrollHeight === height))) isHeld.current = false;
      else if (up < 0 && isGesture && distance < NEAR) isHeld.current = true;
      // What is above was measured, and the place was corrected for it.
      else if (isHeld.current && !isGesture) toEnd();
      top = scrollTop;
      height = scrollHeight;
      setIsAtBottom(isHeld.current || distance < NEAR);
    };
    // Content that grows, waiting prompts or a longer draft would move the end out of view.
    const observer = new ResizeObserver(() => {
      if (isHeld.current) toEnd();
    });
    observer.observe(scroller);
    observer.observe(content);
    scroller.addEventListener("scroll", onScroll, { passive: true });
    for (const name of ["wheel", "touchmove", "keydown", "pointerdown"] as const)
      scroller.addEventListener(name, onGesture, { passive: true });
    return () => {
      observer.disconnect();
      scroller.removeEventListener("scroll", onScroll);
      for (const name of ["wheel", "touchmove", "keydown", "pointerdown"] as const)
        scroller.removeEventListener(name, onGesture);
    };
  }, [toEnd]);

  return {
    scrollRef,
    contentRef,
    isAtBottom,
    scrollToBottom: useCallback(() => {
      isHeld.current = true;
      isLeaving.current = false;
      setIsAtBottom(true);
      toEnd();
    }, [toEnd]),
    stopScroll: useCallback(() => {
      isHeld.current = false;
      isLeaving.current = true;
    }, []),
  };
}
