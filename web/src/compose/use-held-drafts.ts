/** Sends the drafts that waited for the connection in sessions that are not shown. The one that is shown sends its own. */
import { generateId } from "ai";
import { useEffect, useState } from "react";
import { daemon } from "../api/client.ts";
import { isUnreachable, messageOf } from "../api/error-text.ts";
import { useConnectionState } from "../feed/use-feed.tsx";
import { openSession } from "../route.ts";
import { useToasts } from "../ui/toasts.tsx";
import {
  addUnanswered,
  draftParts,
  heldDrafts,
  keepDraft,
  readDraft,
  releaseDraft,
  removeUnanswered,
  setSending,
  type UnansweredPrompt,
  unansweredPrompts,
  type WhenBusy,
} from "./kept-prompts.ts";
import { addToHistory } from "./prompt-history.ts";

interface SentDraft extends UnansweredPrompt {
  session: string;
  whenBusy: WhenBusy;
}

/** `shown` is the session that is looked at. */
export function useHeldDrafts(shown: string | undefined): void {
  const connection = useConnectionState();
  const toasts = useToasts();
  /** Those whose request broke: the daemon may have them, and takes the same id only once. */
  const [broken] = useState(() => new Set<SentDraft>());

  useEffect(() => {
    async function send(draft: SentDraft): Promise<void> {
      const { session, id, parts, whenBusy } = draft;
      setSending(id, true);
      try {
        const request = { params: { id: session }, body: { id, parts, whenBusy } };
        await daemon().call("POST /v1/sessions/{id}/messages", request);
        removeUnanswered(session, id);
      } catch (error) {
        if (isUnreachable(error)) return void broken.add(draft);
        // It stands in the field again when the session is opened.
        const action = { label: "Show", onPress: () => openSession(session) };
        toasts.show({ text: `A prompt was not sent: ${messageOf(error)}`, tone: "danger", action });
      } finally {
        setSending(id, false);
      }
    }

    if (connection !== "live") return;
    for (const draft of broken) {
      broken.delete(draft);
      // A conversation that is shown finds out itself what became of it.
      const isUnanswered = unansweredPrompts(draft.session).some(({ id }) => id === draft.id);
      if (isUnanswered && draft.session !== shown) void send(draft);
    }
    for (const session of Object.keys(heldDrafts())) {
      const whenBusy = session === shown ? undefined : releaseDraft(session);
      if (whenBusy) void send(takeDraft(session, whenBusy));
    }
  }, [connection, shown, broken, toasts]);
}

function takeDraft(session: string, whenBusy: WhenBusy): SentDraft {
  const draft = readDraft(session);
  const prompt = { id: generateId(), parts: draftParts(draft) };
  addToHistory(draft.text);
  addUnanswered(session, prompt);
  keepDraft(session, { text: "", files: [] });
  return { ...prompt, session, whenBusy };
}
