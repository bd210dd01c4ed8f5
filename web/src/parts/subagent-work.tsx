/** What a sub-agent did under its call. */
import type { ReactNode } from "react";
import type { ToolBlock } from "../chat/message-blocks.ts";

export function SubagentWork({ tool, children }: { tool: ToolBlock; children: ReactNode }) {
  if (tool.children.length === 0) return null;
  return (
    <div className="space-y-2.5 border-l-2 pl-3" data-subagent={tool.call}>
      {children}
    </div>
  );
}
