/** An ask as it is shown, and what its answers are made with. */
import type { RefObject } from "react";
import type { AskData } from "../chat/page-message.ts";
import type { Replying } from "./use-reply.ts";

/** From a message or from the feed. */
export type ShownAsk = Pick<
  AskData,
  "ask" | "kind" | "title" | "description" | "options" | "questions" | "editable" | "url" | "expiresAt"
> & { changes?: unknown; detail?: unknown };

export interface AnswersProps {
  session: string;
  ask: ShownAsk;
  /** The card around: keys work while the focus is in it. */
  card: RefObject<HTMLElement | null>;
  isOpen: boolean;
  reply: Replying;
  /** What the card shows above. */
  about: { command?: string; cwd?: string };
}
