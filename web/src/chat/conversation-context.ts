/** What components deep inside a conversation need to know about it. */
import { createContext, useContext } from "react";

export interface ConversationContextValue {
  session: string;
  /** Where the agent works; paths below it are shown without it. */
  cwd?: string;
  /** Whether the message around is being written now. */
  isLive: boolean;
  /** What running calls have put out so far, by call. */
  liveOutput: ReadonlyMap<string, string>;
  /** What a person opened, closed or began to write, for `useKept`. Absent where nothing leaves the page. */
  kept?: Map<string, unknown>;
}

export const ConversationContext = createContext<ConversationContextValue>({
  session: "",
  isLive: false,
  liveOutput: new Map(),
});

export function useConversation(): ConversationContextValue {
  return useContext(ConversationContext);
}
