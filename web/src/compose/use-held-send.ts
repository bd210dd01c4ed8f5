/** A prompt that is sent while the daemon cannot be reached stays where it was written, and goes out when it is back. */
import { useEffect, useRef, useState } from "react";
import { useConnectionState } from "../feed/use-feed.tsx";

export interface HeldSend<How> {
  /** Whether it waits for the connection. */
  isHeld: boolean;
  /** Sends now, or as soon as that is possible. */
  send: (how: How) => void;
  /** It is not sent by itself any more. */
  keep: () => void;
}

export function useHeldSend<How extends string>(sendNow: (how: How) => void): HeldSend<How> {
  const connection = useConnectionState();
  const [held, setHeld] = useState<How>();
  const latest = useRef(sendNow);
  latest.current = sendNow;
  useEffect(() => {
    if (held === undefined || connection !== "live") return;
    setHeld(undefined);
    latest.current(held);
  }, [held, connection]);
  return {
    isHeld: held !== undefined,
    send: (how) => (connection === "lost" ? setHeld(how) : sendNow(how)),
    keep: () => setHeld(undefined),
  };
}
