import { ChevronRight } from "lucide-react";
import { Collapsible } from "radix-ui";
import { useState } from "react";
import { excerpt } from "../ui/format.ts";
import { Markdown } from "./markdown.tsx";

/** What the agent thought: open while it thinks, folded to one line afterwards. */
export function Reasoning({ text, isStreaming }: { text: string; isStreaming: boolean }) {
  const [choice, setChoice] = useState<boolean>();
  const isOpen = choice ?? isStreaming;
  return (
    <Collapsible.Root
      open={isOpen}
      onOpenChange={setChoice}
      data-part="reasoning"
      className="text-muted-foreground"
    >
      <Collapsible.Trigger className="group -ml-1 flex max-w-full items-center gap-1 rounded px-1 py-0.5 text-left text-xs hover:text-foreground touch:-my-1.5 touch:min-h-10">
        <ChevronRight className="size-3.5 shrink-0 transition-transform group-data-[state=open]:rotate-90" />
        <span className={isStreaming ? "animate-breathe font-medium" : "font-medium"}>
          {isStreaming ? "Thinking" : "Thought"}
        </span>
        {!isOpen && <span className="truncate">· {excerpt(text, 160)}</span>}
      </Collapsible.Trigger>
      <Collapsible.Content className="mt-1 ml-[5px] border-l-2 pl-3.5 text-xs">
        <Markdown text={text} isStreaming={isStreaming} />
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
