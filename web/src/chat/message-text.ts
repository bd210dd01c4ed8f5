/** What a message says, as text to be copied or quoted: its Markdown, without its calls and what was taken back. Pure. */
import { asDaemonMessage, type ChatMessage, partId } from "./page-message.ts";

export function messageText(message: ChatMessage): string {
  const { parts } = asDaemonMessage(message);
  const discarded = new Set(parts.flatMap((part) => (part.type === "data-discarded" ? part.data.parts : [])));
  return parts
    .flatMap((part) => {
      if (part.type !== "text" || part.text.trim() === "") return [];
      const id = partId(part);
      return id !== undefined && discarded.has(id) ? [] : [part.text.trim()];
    })
    .join("\n\n");
}
