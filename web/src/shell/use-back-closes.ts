/**
 * On touch screens Back closes what is open over the page, as people expect there: an entry in the history of the browser
 * stands for it. What is opened from there takes its place.
 */
import { type MouseEvent, useEffect, useRef } from "react";
import { isOverlayEntry, leaveOverlayEntry, OVERLAY_ENTRY, whenEntryStands } from "../route.ts";

/** Returns what sees the clicks on links in it. */
export function useBackCloses(isOpen: boolean, onClose: () => void): (event: MouseEvent) => void {
  const latest = useRef(onClose);
  latest.current = onClose;
  const leaving = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (!isOpen || !matchMedia("(pointer: coarse)").matches) return;
    clearTimeout(leaving.current);
    const closed = new AbortController();
    const onBack = () => {
      if (!isOverlayEntry()) latest.current();
    };
    whenEntryStands(() => {
      if (closed.signal.aborted) return;
      if (!isOverlayEntry()) history.pushState(OVERLAY_ENTRY, "");
      addEventListener("popstate", onBack, { signal: closed.signal });
    });
    return () => {
      closed.abort();
      // Something else may be shown in its place in this moment.
      leaving.current = setTimeout(() => isOverlayEntry() && leaveOverlayEntry());
    };
  }, [isOpen]);
  return (event) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    if (!link?.hash || link.target || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || !isOverlayEntry()) return;
    event.preventDefault();
    location.replace(link.hash);
  };
}
