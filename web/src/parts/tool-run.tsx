/** Several calls that are over, in one line. */
import { ChevronRight, ListTree } from "lucide-react";
import { Collapsible } from "radix-ui";
import { type ReactNode, useMemo } from "react";
import { useConversation } from "../chat/conversation-context.ts";
import { useKept } from "../ui/use-kept.ts";
import { DiffCounts } from "./diff-counts.tsx";
import { summarizeRun, type ToolRun } from "./tool-runs.ts";

export function ToolRunLine({ run, children }: { run: ToolRun; children: ReactNode }) {
  const [isOpen, setIsOpen] = useKept(run.key, () => false, useConversation().kept);
  const { text, failed } = useMemo(() => summarizeRun(run.blocks), [run]);
  const edits = useMemo(
    () => run.blocks.flatMap((block) => (block.kind === "tool" ? block.edits : [])),
    [run],
  );
  return (
    <Collapsible.Root open={isOpen} onOpenChange={setIsOpen} data-run>
      <Collapsible.Trigger className="group -mx-1 flex min-h-8 max-w-full items-center gap-2 rounded-md px-1 py-1 text-left text-muted-foreground text-xs hover:text-foreground touch:min-h-10">
        <ListTree className="size-3.5 shrink-0" aria-hidden="true" />
        <span className="min-w-0 truncate font-medium">{text}</span>
        <DiffCounts edits={edits} />
        {failed > 0 && <span className="shrink-0 font-medium text-danger-text">{failed} failed</span>}
        <ChevronRight className="size-3.5 shrink-0 opacity-70 transition-transform group-data-[state=open]:rotate-90" />
      </Collapsible.Trigger>
      <Collapsible.Content className="mt-1.5 ml-[6px] space-y-3 border-l-2 pl-3">
        {children}
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
