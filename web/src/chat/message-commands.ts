/** What a person may do with a message. */
import type { PromptPart } from "../api/types.ts";

export interface MessageCommands {
  /** Sends a changed prompt in place of this one; what came after it is taken back. Absent where it cannot be. */
  edit?: (message: string, parts: PromptPart[]) => void;
  /** Asks for another answer. Absent where it cannot be. */
  regenerate?: (message: string) => void;
  /** Puts text into the composer. Absent where there is none. */
  quote?: (text: string) => void;
}
