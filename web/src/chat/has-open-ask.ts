/** Whether something in a message waits for a person. */
import { asDaemonMessage, type ChatMessage } from "./page-message.ts";

export function hasOpenAsk(message: ChatMessage): boolean {
  return asDaemonMessage(message).parts.some(
    (part) => part.type === "data-ask" && part.data.state === "open" && !part.data.answer,
  );
}
