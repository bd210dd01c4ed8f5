/** What a person may do with a message. */
import type { PromptPart } from "../api/types.ts";

export interface MessageCommands {
  /** Sends a changed prompt in place of this one; what came after it is taken back. Absent where it cannot be. */
  edit?: (message: string, parts: PromptPart[]) => void;
  /** Asks for another answer. Absent where it cannot be. */
  regenerate?: (message: string) => void;
  /** Does its turn again: in its place where that can be, else by sending its prompt anew. */
  retry?: (message: string) => void;
  /** Lets the person choose another model. Absent where there is none to choose. */
  changeModel?: () => void;
  /** Puts text into the composer. Absent where there is none. */
  quote?: (text: string) => void;
}
