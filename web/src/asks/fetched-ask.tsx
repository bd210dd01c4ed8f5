/** An ask in a place that does not show its call: what it is about is loaded first, nobody should allow what they cannot see. */
import { useEffect, useMemo, useState } from "react";
import { readMessage } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { Ask } from "../api/types.ts";
import { ConversationContext } from "../chat/conversation-context.ts";
import { useFeed } from "../feed/use-feed.tsx";
import { Button } from "../ui/button.tsx";
import AskCard from "./ask-card.tsx";
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
  const [problem, setProblem] = useState<string>();
  const [attempt, setAttempt] = useState(0);
  const { snapshots } = useFeed();
  const needs = kind === "permission" && call !== undefined && message !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what failed may work with another connection, or when it is tried again
  useEffect(() => {
    if (!needs || found) return;
    const controller = new AbortController();
    readMessage(session, message, controller.signal).then(
      (loaded) => {
        setProblem(undefined);
        setFound({ input: inputOfCall(loaded, call) });
      },
      (error) => !controller.signal.aborted && setProblem(messageOf(error)),
    );
    return () => controller.abort();
  }, [session, message, call, needs, found, snapshots, attempt]);
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
        isOpen={ask.state === "open"}
        isLoading={needs && !found}
      />
      {problem !== undefined && (
        <p
          role="alert"
          className="mt-1.5 flex items-center justify-between gap-2 pl-0.5 text-danger-text text-xs"
        >
          What it is about could not be loaded: {problem}
          <Button size="small" onClick={() => setAttempt(attempt + 1)}>
            Try again
          </Button>
        </p>
      )}
    </ConversationContext>
  );
}
