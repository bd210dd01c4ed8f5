/** An ask that somebody answered elsewhere: by whom and how, before it goes. */
import { useEffect, useState } from "react";
import { readMessage } from "../api/client.ts";
import type { Ask } from "../api/types.ts";
import type { AskData, DaemonMessage } from "../chat/page-message.ts";
import { clip } from "../ui/format.ts";
import { AskOutcome } from "./ask-outcome.tsx";

/** Long enough to be read. */
const SHOWN_MS = 8_000;

export function LeftAsk({ ask, onRead }: { ask: Ask; onRead: (ask: Ask) => void }) {
  const [outcome, setOutcome] = useState<AskData>();
  const { session, message } = ask;
  useEffect(() => {
    const controller = new AbortController();
    if (message !== undefined) {
      readMessage(session, message, controller.signal).then(
        (loaded) => setOutcome(outcomeOf(loaded, ask.ask)),
        // The conversation says it.
        () => {},
      );
    }
    const timer = setTimeout(() => onRead(ask), SHOWN_MS);
    return () => {
      controller.abort();
      clearTimeout(timer);
    };
  }, [session, message, ask, onRead]);
  return (
    <div role="status" data-left-ask={ask.ask} className="space-y-1 rounded-lg border bg-raised p-3">
      <p className="truncate font-medium text-soft text-xs">{clip(ask.title, 120)}</p>
      {outcome ? (
        <AskOutcome ask={outcome} />
      ) : (
        <p className="text-muted-foreground text-xs">It does not wait any more</p>
      )}
    </div>
  );
}

function outcomeOf(message: DaemonMessage, ask: string): AskData | undefined {
  const parts = message.parts.map((part) => (part.type === "data-subagent" ? part.data.part : part));
  return parts.flatMap((part) => (part.type === "data-ask" && part.data.ask === ask ? [part.data] : []))[0];
}
