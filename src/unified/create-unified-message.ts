/** Makes a UnifiedMessage with a new id, for consumers and adapters. Translators make theirs with ids that follow from the log. */
import type { UnifiedContent, UnifiedMessage, UnifiedMessageType, UnifiedRole } from "./unified-message.ts";

/** What a new message says. */
export interface NewUnifiedMessage {
  type: UnifiedMessageType;
  role: UnifiedRole;
  content?: UnifiedContent[];
  metadata?: Record<string, unknown>;
  parentId?: string;
}

/**
 * A message with a random id and the time of now.
 *
 * @example
 * const content = [{ type: "text" as const, text: "Hello!" }];
 * createUnifiedMessage({ type: "user_message", role: "user", content }).content; // => content
 */
export function createUnifiedMessage(message: NewUnifiedMessage): UnifiedMessage {
  const { type, role, content = [], metadata = {}, parentId } = message;
  return {
    id: crypto.randomUUID(),
    timestamp: Date.now(),
    type,
    role,
    content,
    metadata,
    ...(parentId !== undefined && { parentId }),
  };
}
