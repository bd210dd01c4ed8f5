/** A call of one of the agent's tools: one line, and everything about it below when opened. */
import {
  Bot,
  ChevronRight,
  CircleAlert,
  CircleCheck,
  CircleSlash,
  FilePen,
  FileText,
  Globe,
  type LucideIcon,
  Search,
  Terminal,
  Wrench,
} from "lucide-react";
import { Collapsible } from "radix-ui";
import { type ReactNode, useMemo, useState } from "react";
import { isNamed } from "../access/is-named.ts";
import { useAccess } from "../access/use-access.tsx";
import { AskOutcome } from "../asks/ask-outcome.tsx";
import { AskedCall } from "../asks/asked-call.tsx";
import { repeatsAsk } from "../asks/repeats-ask.ts";
import { useConversation } from "../chat/conversation-context.ts";
import type { ToolBlock } from "../chat/message-blocks.ts";
import { shownName } from "../people/shown-name.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import { Spinner } from "../ui/spinner.tsx";
import { CodePanel } from "./code-panel.tsx";
import { FileDiffs } from "./file-diff.tsx";
import { OutputPanel } from "./output-panel.tsx";
import { commandOf, inputSummary, isEmptyValue } from "./tool-summary.ts";
import { ValuePanel } from "./value-panel.tsx";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  execute: Terminal,
  read: FileText,
  edit: FilePen,
  search: Search,
  fetch: Globe,
  agent: Bot,
};

interface ToolCardProps {
  tool: ToolBlock;
  /** What a sub-agent did under the call. */
  children: ReactNode;
}

export function ToolCard({ tool, children }: ToolCardProps) {
  const open = tool.asks.filter(({ state, answer }) => state === "open" && !answer);
  if (open.length === 0) return <CallCard tool={tool}>{children}</CallCard>;
  return (
    <AskedCall tool={tool} asks={open}>
      {children}
    </AskedCall>
  );
}

function CallCard({ tool, children }: ToolCardProps) {
  const { me } = useAccess();
  const decider = tool.asks.findLast(({ answer }) => answer && !isNamed(answer.by, me.name))?.answer?.by;
  const [choice, setChoice] = useState<boolean>();
  const isOpen = choice ?? tool.children.length > 0;
  const Icon = ICONS[tool.purpose ?? ""] ?? Wrench;
  const title = tool.title ?? tool.name;
  const summary = useMemo(() => inputSummary(tool.input, tool.title), [tool.input, tool.title]);
  return (
    <Collapsible.Root
      open={isOpen}
      onOpenChange={setChoice}
      data-call={tool.call}
      data-state-of-call={tool.state}
      className="overflow-hidden rounded-lg border bg-raised"
    >
      <Collapsible.Trigger className="group flex min-h-9 w-full items-center gap-2 px-3 py-1.5 text-left hover:bg-hover">
        <Icon className="size-3.5 shrink-0 text-muted-foreground" aria-hidden="true" />
        <span className="flex min-w-0 flex-1 items-baseline gap-2">
          <span className="max-w-[75%] shrink-0 truncate font-medium">{clip(title)}</span>
          {summary && <span className="truncate font-mono text-muted-foreground text-xs">{summary}</span>}
        </span>
        {tool.edits.length > 0 && !isOpen && (
          <span className="text-2xs text-muted-foreground">
            {tool.edits.length} {tool.edits.length === 1 ? "file" : "files"}
          </span>
        )}
        {decider !== undefined && !isOpen && (
          <span className="max-w-[40%] shrink-0 truncate text-2xs text-muted-foreground">
            by {shownName(decider)}
          </span>
        )}
        <ToolStateMark tool={tool} />
        <ChevronRight className="size-3.5 shrink-0 text-muted-foreground/70 transition-transform group-data-[state=open]:rotate-90" />
      </Collapsible.Trigger>
      {tool.errorText && !isOpen && !isDenied(tool) && (
        <p className="truncate border-t px-3 py-1.5 text-danger-text text-xs">{clip(tool.errorText)}</p>
      )}
      <Collapsible.Content>
        <ToolBody tool={tool}>{children}</ToolBody>
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

function ToolBody({ tool, children }: ToolCardProps) {
  const { liveOutput } = useConversation();
  const command = commandOf(tool.input);
  const hasOutput =
    tool.state === "output-available" && !isEmptyValue(tool.output) && !repeatsAsk(tool.output, tool.asks);
  const live = tool.state === "input-available" || tool.isPreliminary ? liveOutput.get(tool.call) : undefined;
  const partial = tool.result?.output;
  const answered = tool.asks.filter((ask) => ask.answer || ask.state !== "open");
  const { truncatedFrom, exitCode } = tool.result ?? {};
  // The answers say it more clearly than the raw input would.
  const showsInput = !isEmptyValue(tool.input) && !repeatsAsk(tool.input, tool.asks);
  return (
    <div className="space-y-2.5 border-t px-3 py-2.5 empty:hidden">
      {showsInput && <ValuePanel label={command ? "Command" : "Input"} value={command ?? tool.input} />}
      <FileDiffs edits={tool.edits} />
      {tool.children.length > 0 && (
        <div className="space-y-2.5 border-l-2 pl-3" data-subagent={tool.call}>
          {children}
        </div>
      )}
      {live && <CodePanel label="Output so far" text={live} />}
      {hasOutput && !live && (
        <OutputPanel
          label="Output"
          value={tool.output}
          note={
            truncatedFrom === undefined
              ? undefined
              : `cut; ${truncatedFrom.toLocaleString()} characters in all`
          }
        />
      )}
      {!isEmptyValue(partial) && <OutputPanel label="Output until then" value={partial} />}
      {tool.errorText && !isDenied(tool) && <CodePanel label="Error" text={tool.errorText} tone="danger" />}
      {exitCode !== undefined && exitCode !== 0 && (
        <p className="text-danger-text text-xs">Exit code {exitCode ?? "unknown"}</p>
      )}
      {!isEmptyValue(tool.progress) && tool.state !== "output-available" && tool.state !== "output-error" && (
        <ValuePanel label="Progress" value={tool.progress} />
      )}
      <BoundedList items={answered} step={20} name="answers">
        {(ask) => <AskOutcome key={ask.ask} ask={ask} />}
      </BoundedList>
    </div>
  );
}

function ToolStateMark({ tool }: { tool: ToolBlock }) {
  const { isLive } = useConversation();
  switch (tool.state) {
    case "output-available":
      if (tool.isPreliminary || (tool.result?.running && isLive)) return <Spinner label="Running" />;
      if (tool.result?.running)
        return <Mark icon={CircleCheck} label="Ran in background" className="text-muted-foreground" says />;
      if (tool.result?.exitCode)
        return (
          <Mark icon={CircleAlert} label={`Exit ${tool.result.exitCode}`} className="text-danger-text" says />
        );
      return <Mark icon={CircleCheck} label="Done" className="text-success" />;
    case "output-error":
      if (isDenied(tool)) return <Mark icon={CircleSlash} label="Denied" className="text-danger-text" says />;
      return <Mark icon={CircleAlert} label="Failed" className="text-danger-text" says />;
    case "output-denied":
      return <Mark icon={CircleSlash} label="Denied" className="text-danger-text" says />;
    default:
      // After the end of a turn nothing runs.
      return isLive ? (
        <Spinner label="Running" />
      ) : (
        <Mark icon={CircleSlash} label="Not finished" className="text-muted-foreground" says />
      );
  }
}

/** If the ask was not on the call's own part, its denial appears as an error. */
function isDenied(tool: ToolBlock): boolean {
  return tool.asks.some(({ answer }) => answer?.effect === "reject" || answer?.effect === "reject-always");
}

interface MarkProps {
  icon: LucideIcon;
  label: string;
  className: string;
  /** Whether it is also said in words. */
  says?: boolean;
}

function Mark({ icon: Icon, label, className, says }: MarkProps) {
  return (
    <span className={classNames("flex shrink-0 items-center gap-1 font-medium text-2xs", className)}>
      <span className={says ? "" : "sr-only"}>{label}</span>
      <Icon className="size-3.5" aria-hidden="true" />
    </span>
  );
}
