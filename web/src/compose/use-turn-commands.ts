/** What a person does from below the conversation: begins a turn, says something during one, and stops it. */
import { useAccess } from "../access/use-access.tsx";
import { daemon } from "../api/client.ts";
import { isUnreachable, messageOf } from "../api/error-text.ts";
import type { PromptPart } from "../api/types.ts";
import type { Details } from "../chat/use-details.ts";
import type { SessionChat } from "../chat/use-session-chat.ts";
import type { SessionSummary } from "../feed/feed-state.ts";
import { promptTitle } from "../sessions/prompt-title.ts";
import { useSteadyCallback } from "../ui/use-steady-callback.ts";

interface TurnCommandsOptions {
  summary: SessionSummary;
  chat: SessionChat;
  details: Details;
  onProblem: (problem: string | undefined) => void;
  /** Called when a prompt begins a turn. */
  onSend: () => void;
  /** Called when the turn is told to stop, and when that failed. */
  onStopping: (isStopping: boolean) => void;
}

/** All of them stay the same functions. */
export interface TurnCommands {
  send: (parts: PromptPart[]) => void;
  sendWhileBusy: (parts: PromptPart[], whenBusy: "queue" | "steer") => void;
  stop: () => void;
}

export function useTurnCommands(options: TurnCommandsOptions): TurnCommands {
  const { summary, chat, details, onProblem, onSend, onStopping } = options;
  const { can } = useAccess();

  /** A session without a title is named after its first prompt. */
  function nameAfter(parts: readonly PromptPart[]) {
    const text = parts.find((part) => part.type === "text")?.text;
    const title = text && promptTitle(text);
    if (title) details.update({ title }).catch(() => {});
  }

  const send = useSteadyCallback((parts: PromptPart[]) => {
    onProblem(undefined);
    onSend();
    if (!summary.title && chat.getMessages().length === 0 && can("session.settings")) nameAfter(parts);
    chat.send(parts);
  });

  const sendWhileBusy = useSteadyCallback((parts: PromptPart[], whenBusy: "queue" | "steer") => {
    onProblem(undefined);
    // One that could not be sent for want of a connection comes back into the composer, which says so.
    chat
      .sendWhileBusy(parts, whenBusy)
      .catch((error) => !isUnreachable(error) && onProblem(messageOf(error)));
  });

  const stop = useSteadyCallback(() => {
    const last = chat.getMessages().at(-1);
    // Only the turn that is shown, not one that began meanwhile.
    const turn =
      last?.role === "assistant" && last.metadata?.outcome === undefined ? last.metadata?.turn : undefined;
    onStopping(true);
    daemon()
      .call("POST /v1/sessions/{id}/interrupt", {
        params: { id: summary.session },
        body: { turn, hold: true },
      })
      .catch((error) => {
        onStopping(false);
        onProblem(messageOf(error));
      });
  });

  return { send, sendWhileBusy, stop };
}
