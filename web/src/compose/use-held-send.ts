/**
 * A prompt that is sent while the daemon cannot be reached stays where it was written, and goes out when it is back.
 * While another session is shown, `use-held-drafts.ts` sends it.
 */
import { useEffect, useRef, useState } from "react";
import { useConnectionState } from "../feed/use-feed.tsx";
import { heldDrafts, holdDraft, releaseDraft, type WhenBusy } from "./kept-prompts.ts";

export interface HeldSend {
  /** Whether it waits for the connection. */
  isHeld: boolean;
  /** Sends now, or as soon as that is possible. */
  send: (whenBusy: WhenBusy) => void;
  /** It is not sent by itself any more. */
  keep: () => void;
}

export function useHeldSend(session: string, sendNow: (whenBusy: WhenBusy) => void): HeldSend {
  const connection = useConnectionState();
  const [isHeld, setIsHeld] = useState(() => heldDrafts()[session] !== undefined);
  const latest = useRef(sendNow);
  latest.current = sendNow;
  useEffect(() => {
    if (!isHeld || connection !== "live") return;
    setIsHeld(false);
    const whenBusy = releaseDraft(session);
    if (whenBusy) latest.current(whenBusy);
  }, [session, isHeld, connection]);
  return {
    isHeld,
    send(whenBusy) {
      if (connection !== "lost") return sendNow(whenBusy);
      holdDraft(session, whenBusy);
      setIsHeld(true);
    },
    keep() {
      releaseDraft(session);
      setIsHeld(false);
    },
  };
}
