/** An ask to show, from a message or from the feed. */
import type { AskData } from "../chat/page-message.ts";

export type ShownAsk = Pick<
  AskData,
  "ask" | "kind" | "title" | "description" | "options" | "questions" | "editable" | "url" | "expiresAt"
> & { changes?: unknown; detail?: unknown };
