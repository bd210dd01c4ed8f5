/** A call of one of the agent's tools: one line, and everything about it below when opened. */
import {
  Bot,
  ChevronRight,
  FilePen,
  FileText,
  Globe,
  ListChecks,
  type LucideIcon,
  ScanSearch,
  Search,
  Terminal,
  Wrench,
} from "lucide-react";
import { Collapsible } from "radix-ui";
import { type ReactNode, useMemo } from "react";
import { isNamed } from "../access/is-named.ts";
import { useAccess } from "../access/use-access.tsx";
import { AskedCall } from "../asks/asked-call.tsx";
import { useConversation } from "../chat/conversation-context.ts";
import type { Block, ToolBlock } from "../chat/message-blocks.ts";
import { entryOfCall } from "../chat/show-in-xray.ts";
import { shownName } from "../people/shown-name.ts";
import { linkTo } from "../route.ts";
import { classNames } from "../ui/class-names.ts";
import { clip } from "../ui/format.ts";
import { useKept } from "../ui/use-kept.ts";
import { DiffCounts } from "./diff-counts.tsx";
import { foundPlaces } from "./found-places.ts";
import { countFound } from "./search-results.ts";
import { ToolBody } from "./tool-body.tsx";
import { isDenied, isFailedCommand, whyUnfinished } from "./tool-ending.ts";
import { ToolStateMark } from "./tool-state-mark.tsx";
import { isCommandInLine, toolLine } from "./tool-summary.ts";
import { VisibleText } from "./visible-text.tsx";

const ICONS: Readonly<Record<string, LucideIcon>> = {
  execute: Terminal,
  read: FileText,
  edit: FilePen,
  search: Search,
  fetch: Globe,
  agent: Bot,
  plan: ListChecks,
};

/** Diffs up to this long are shown without being asked for. */
const SHORT_DIFF = 2_500;

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
  const { cwd, isLive, kept } = useConversation();
  const decider = tool.asks.findLast(({ answer }) => answer && !isNamed(answer.by, me.name))?.answer?.by;
  const [choice, setChoice] = useKept<boolean | undefined>(tool.key, () => undefined, kept);
  const isOpen = choice ?? isOpenAtFirst(tool, isLive);
  const Icon = ICONS[tool.purpose ?? ""] ?? Wrench;
  const { title, detail } = useMemo(() => toolLine(tool, cwd), [tool, cwd]);
  const steps = countCalls(tool.children);
  const found = useMemo(() => foundPlaces(tool), [tool]);
  return (
    <Collapsible.Root
      open={isOpen}
      onOpenChange={setChoice}
      data-call={tool.call}
      data-state-of-call={tool.state}
      className="group/call relative overflow-hidden rounded-lg border bg-raised"
    >
      <XrayLink call={tool.call} />
      <Collapsible.Trigger className="group flex min-h-9 w-full items-center gap-2 px-3 py-1.5 text-left hover:bg-hover touch:min-h-10">
        <Icon className="size-3.5 shrink-0 text-muted-foreground" aria-hidden="true" />
        <span className="flex min-w-0 flex-1 items-baseline gap-2">
          {title && (
            <span className="max-w-[75%] shrink-0 truncate font-medium">
              <VisibleText text={title} />
            </span>
          )}
          {/* Opened, a command stands in the line or below it, not in both. */}
          {detail && !(isOpen && title && tool.purpose === "execute") && (
            <span
              className={classNames(
                "font-mono text-xs",
                isOpen && isCommandInLine(tool) ? "[overflow-wrap:anywhere]" : "truncate",
                title && "text-muted-foreground",
              )}
            >
              <VisibleText text={detail} />
            </span>
          )}
        </span>
        <DiffCounts edits={tool.edits} />
        {found && (
          <span className="shrink-0 text-2xs text-muted-foreground tabular-nums">{countFound(found)}</span>
        )}
        {steps > 0 && (
          <span className="shrink-0 text-2xs text-muted-foreground">
            {steps} {steps === 1 ? "step" : "steps"}
          </span>
        )}
        {(decider !== undefined || tool.edited) && !isOpen && (
          <span className="max-w-[40%] shrink-0 truncate text-2xs text-muted-foreground">
            {tool.edited && "edited"}
            {decider !== undefined && ` by ${shownName(decider)}`}
          </span>
        )}
        <ToolStateMark tool={tool} />
        <ChevronRight className="size-3.5 shrink-0 text-muted-foreground/70 transition-transform group-data-[state=open]:rotate-90" />
      </Collapsible.Trigger>
      {tool.errorText && !isOpen && !isDenied(tool) && !whyUnfinished(tool) && (
        <p className="truncate border-t px-3 py-1.5 text-danger-text text-xs">{clip(tool.errorText)}</p>
      )}
      <Collapsible.Content>
        <ToolBody tool={tool}>{children}</ToolBody>
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

/** To the entry that began it, in place of the icon, for a mouse and for keys: fingers get there from the message. */
function XrayLink({ call }: { call: string }) {
  const { can } = useAccess();
  const { session } = useConversation();
  const seq = entryOfCall(call);
  if (seq === undefined || !can("session.raw")) return null;
  return (
    <a
      href={linkTo({ view: "session", session, panel: "xray", seq })}
      aria-label="Show this call in X-ray"
      title="Show in X-ray"
      className="absolute top-1.5 left-1.75 z-10 grid size-6 place-items-center rounded-md bg-raised text-muted-foreground opacity-0 hover:text-foreground focus-visible:opacity-100 group-hover/call:opacity-100 touch:hidden"
    >
      <ScanSearch aria-hidden="true" className="size-3.5" />
    </a>
  );
}

/** A sub-agent while it works, a command that failed, what a person chose or approved, and short changes are in sight at once. */
function isOpenAtFirst(tool: ToolBlock, isLive: boolean): boolean {
  if (tool.children.length > 0)
    return isLive && tool.state !== "output-available" && tool.state !== "output-error";
  if (isFailedCommand(tool) || tool.asks.some(({ kind }) => kind !== "permission")) return true;
  return (
    tool.edits.length > 0 && tool.edits.reduce((sum, { diff = "" }) => sum + diff.length, 0) <= SHORT_DIFF
  );
}

/** How much a sub-agent has done. */
function countCalls(blocks: readonly Block[]): number {
  return blocks.reduce((sum, block) => sum + (block.kind === "tool" ? 1 + countCalls(block.children) : 0), 0);
}
