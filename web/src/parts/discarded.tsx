import { Undo2 } from "lucide-react";
import { Collapsible } from "radix-ui";
import type { ReactNode } from "react";

/** What the agent took back: folded and struck out, but not hidden. */
export function Discarded({ reason, children }: { reason: string; children: ReactNode }) {
  return (
    <Collapsible.Root data-part="discarded" className="text-muted-foreground">
      <Collapsible.Trigger className="group -ml-0.5 flex items-center gap-2 rounded px-0.5 text-left text-xs leading-5 hover:text-foreground touch:-my-1.5 touch:min-h-10">
        <Undo2 className="size-3.5 shrink-0" aria-hidden="true" />
        <span>
          Taken back: {reason}.{" "}
          <span className="underline decoration-dotted underline-offset-2">
            <span className="group-data-[state=open]:hidden">Show</span>
            <span className="hidden group-data-[state=open]:inline">Hide</span>
          </span>
        </span>
      </Collapsible.Trigger>
      <Collapsible.Content className="mt-1.5 ml-[5px] space-y-2.5 border-l-2 border-dashed pl-3.5 line-through opacity-75">
        {children}
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
