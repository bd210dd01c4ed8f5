/** Whether the daemon cannot be reached, and for longer than a moment: then nothing that is shown is known to be so. */
import { useEffect, useState } from "react";
import { useConnectionState } from "./use-feed.tsx";

/** A connection that is back at once was not missed. */
const PATIENCE_MS = 700;

export function useIsLost(afterMs: number = PATIENCE_MS): boolean {
  const connection = useConnectionState();
  const [isLost, setIsLost] = useState(false);
  useEffect(() => {
    if (connection !== "lost") return setIsLost(false);
    const timer = setTimeout(() => setIsLost(true), afterMs);
    return () => clearTimeout(timer);
  }, [connection, afterMs]);
  return isLost;
}
