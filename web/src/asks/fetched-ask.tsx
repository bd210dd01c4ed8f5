/** An ask in a place that does not show its call: what it is about is loaded first, nobody should allow what they cannot see. */
import { useEffect, useMemo, useState } from "react";
import { readChat } from "../api/client.ts";
import type { Ask } from "../api/types.ts";
import { ConversationContext } from "../chat/conversation-context.ts";
import type { DaemonMessage } from "../chat/page-message.ts";
import { AskCard } from "./ask-card.tsx";
import { inputOfCall } from "./input-of-call.ts";

interface FetchedAskProps {
  ask: Ask;
  /** Where the session works. */
  cwd?: string;
  /** Called when it is answered here. */
  onAnswered?: (ask: Ask) => void;
}

export function FetchedAsk({ ask, cwd, onAnswered }: FetchedAskProps) {
  const { session, message, kind, call } = ask;
  const [found, setFound] = useState<{ input?: unknown }>();
  const needs = kind === "permission" && call !== undefined && message !== undefined;
  useEffect(() => {
    if (!needs) return;
    const controller = new AbortController();
    const path = `${session}/messages/${encodeURIComponent(message)}`;
    readChat<{ message: DaemonMessage }>(path, controller.signal).then(
      (loaded) => setFound({ input: inputOfCall(loaded.message, call) }),
      // The session itself shows it.
      () => !controller.signal.aborted && setFound({}),
    );
    return () => controller.abort();
  }, [session, message, call, needs]);
  const context = useMemo(
    () => ({ session, cwd, isLive: false, liveOutput: new Map<string, string>() }),
    [session, cwd],
  );
  return (
    <ConversationContext value={context}>
      <AskCard
        session={session}
        ask={ask}
        input={found?.input}
        onReply={() => onAnswered?.(ask)}
        isOpen={ask.state === "open" && (!needs || found !== undefined)}
      />
    </ConversationContext>
  );
}
