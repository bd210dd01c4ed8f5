/** The ids of calls as Anthropic takes them: a conversation may have begun with a provider whose ids are others. */
import { createHash } from "node:crypto";
import type { ModelMessage } from "ai";

const PLAIN_ID = /^[\w-]+$/;

export function withPlainCallIds(messages: readonly ModelMessage[]): ModelMessage[] {
  return messages.map((message) => {
    if (typeof message.content === "string") return message;
    const content = message.content.map((part) =>
      "toolCallId" in part ? { ...part, toolCallId: plainId(part.toolCallId) } : part,
    );
    return { ...message, content } as ModelMessage;
  });
}

/** The same for the same id. */
function plainId(id: string): string {
  return PLAIN_ID.test(id) ? id : `call_${createHash("sha256").update(id).digest("hex").slice(0, 24)}`;
}
