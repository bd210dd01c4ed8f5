/** What an event says, before it is a message: the translator adds id, time, role and the metadata all messages share. */
import type { NewUnifiedMessage } from "../create-unified-message.ts";
import type { UnifiedMessageType } from "../unified-message.ts";

export type Said = Omit<NewUnifiedMessage, "role"> & {
  /** Where it is the message of the conversation with this id: then its own id follows from that. */
  conversation?: string;
};

/** A status; `kind` says of what, for all that the protocol has no type for. */
export function status(
  kind: string,
  metadata: Record<string, unknown> = {},
  content?: Said["content"],
): Said {
  return { type: "status_change", metadata: { kind, ...metadata }, content };
}

export function said(
  type: UnifiedMessageType,
  metadata: Record<string, unknown> = {},
  content?: Said["content"],
): Said {
  return { type, metadata, content };
}
