/** Loads what is not shown yet once the page has come to rest, so that it is there when the connection is not. */
import { useEffect } from "react";
import { useConnectionState } from "../feed/use-feed.tsx";
import { loadAllAhead } from "../ui/lazy-part.tsx";

/** What is opened first comes first. */
const REST_MS = 3000;

export function useLoadAhead(): void {
  const isLive = useConnectionState() === "live";
  useEffect(() => {
    if (!isLive) return;
    const ended = new AbortController();
    const timer = setTimeout(() => void loadAllAhead(ended.signal), REST_MS);
    return () => {
      clearTimeout(timer);
      ended.abort();
    };
  }, [isLive]);
}
