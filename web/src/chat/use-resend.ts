/** Sends the prompt of an answer anew, for agents that cannot go back to before it. */
import { useCallback } from "react";
import type { PromptPart } from "../api/types.ts";
import type { ChatMessage } from "./page-message.ts";
import type { SessionChat } from "./use-session-chat.ts";

export function useResend({ getMessages, send }: SessionChat): (answer: string) => void {
  return useCallback(
    (answer: string) => {
      const messages = getMessages();
      const at = messages.findIndex(({ id }) => id === answer);
      const prompt = messages.slice(0, Math.max(0, at)).findLast(({ role }) => role === "user");
      if (prompt) send(prompt.parts.flatMap(promptPart));
    },
    [getMessages, send],
  );
}

function promptPart(part: ChatMessage["parts"][number]): PromptPart[] {
  if (part.type === "text") return [{ type: "text", text: part.text }];
  if (part.type !== "file") return [];
  const { url, mediaType, filename } = part;
  return [{ type: "file", url, mediaType, ...(filename !== undefined && { filename }) }];
}
