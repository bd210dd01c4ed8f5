/** Sends the prompt of an answer anew, for agents that cannot go back to before it. */
import { useCallback, useRef } from "react";
import type { PromptPart } from "../api/types.ts";
import type { SessionChat } from "./use-session-chat.ts";

export function useResend(chat: SessionChat): (answer: string) => void {
  const latest = useRef(chat);
  latest.current = chat;
  return useCallback((answer: string) => {
    const { messages, send } = latest.current;
    const at = messages.findIndex(({ id }) => id === answer);
    const prompt = messages.slice(0, Math.max(0, at)).findLast(({ role }) => role === "user");
    if (prompt) send(prompt.parts.flatMap(promptPart));
  }, []);
}

function promptPart(part: SessionChat["messages"][number]["parts"][number]): PromptPart[] {
  if (part.type === "text") return [{ type: "text", text: part.text }];
  if (part.type !== "file") return [];
  const { url, mediaType, filename } = part;
  return [{ type: "file", url, mediaType, ...(filename !== undefined && { filename }) }];
}
