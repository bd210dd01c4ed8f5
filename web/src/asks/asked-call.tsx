/** A call that waits for a person: what it would do and the answers, in one card. */
import type { ReactNode } from "react";
import { useConversation } from "../chat/conversation-context.ts";
import type { ToolBlock } from "../chat/message-blocks.ts";
import type { AskData } from "../chat/page-message.ts";
import { SubagentWork } from "../parts/subagent-work.tsx";
import { BoundedList } from "../ui/bounded-list.tsx";
import { AskSlot } from "./ask-slot.tsx";
import { repeatsAsk } from "./repeats-ask.ts";

interface AskedCallProps {
  tool: ToolBlock;
  /** Those that are open. */
  asks: readonly AskData[];
  /** What a sub-agent did under the call so far. */
  children?: ReactNode;
}

export function AskedCall({ tool, asks, children }: AskedCallProps) {
  const { session } = useConversation();
  const input = repeatsAsk(tool.input, asks) ? undefined : tool.input;
  return (
    <div data-call={tool.call} data-state-of-call={tool.state} className="space-y-2.5">
      <SubagentWork tool={tool}>{children}</SubagentWork>
      <BoundedList items={asks} step={20} name="open asks">
        {(ask) => <AskSlot key={ask.ask} session={session} ask={ask} input={input} isOpen />}
      </BoundedList>
    </div>
  );
}
