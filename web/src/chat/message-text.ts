/** What a message says, as text to be copied or quoted: its Markdown, without its calls. Pure. */
import type { ChatMessage } from "./page-message.ts";

export function messageText({ parts }: Pick<ChatMessage, "parts">): string {
  return parts
    .flatMap((part) => (part.type === "text" && part.text.trim() !== "" ? [part.text.trim()] : []))
    .join("\n\n");
}
