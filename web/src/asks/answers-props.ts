/** What the answers to an ask are made with. */
import type { RefObject } from "react";
import type { ShownAsk } from "./shown-ask.ts";
import type { Replying } from "./use-reply.ts";

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
