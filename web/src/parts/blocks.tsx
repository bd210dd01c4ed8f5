/** The blocks of a message, each by its own component. */
import { ChevronRight, Cog, Undo2 } from "lucide-react";
import { Collapsible } from "radix-ui";
import { memo, type ReactNode, useState } from "react";
import { AskOutcome } from "../asks/ask-outcome.tsx";
import { AskSlot } from "../asks/ask-slot.tsx";
import { useConversation } from "../chat/conversation-context.ts";
import type { Block } from "../chat/message-blocks.ts";
import type { AskData } from "../chat/page-message.ts";
import { MoreButton } from "../ui/bounded-list.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { clip } from "../ui/format.ts";
import { Attachment, Sources } from "./attachment.tsx";
import { FileDiff } from "./file-diff.tsx";
import { Markdown } from "./markdown.tsx";
import { AuthLine, CompactionLine, NoticeLine } from "./notice-line.tsx";
import { PlainText } from "./plain-text.tsx";
import { Plan } from "./plan.tsx";
import { Reasoning } from "./reasoning.tsx";
import { ToolCard } from "./tool-card.tsx";
import { ToolRunLine } from "./tool-run.tsx";
import { toolRuns } from "./tool-runs.ts";
import { valueText } from "./tool-summary.ts";

/** How many blocks of a message are in the page at first, and how many more with each press. */
const STEP = 60;

/** The newest ones, and every one in which something waits for a person. */
export function Blocks({ blocks }: { blocks: readonly Block[] }) {
  const [most, setMost] = useState(STEP);
  const { isLive } = useConversation();
  const hidden = Math.max(0, blocks.length - most);
  const waiting = hidden > 0 ? blocks.slice(0, hidden).filter(isWaiting) : [];
  return (
    <>
      {hidden > waiting.length && (
        <MoreButton onClick={() => setMost(most + STEP)}>
          Show {Math.min(STEP, hidden)} earlier of {(hidden - waiting.length).toLocaleString()} parts
        </MoreButton>
      )}
      {toolRuns([...waiting, ...blocks.slice(hidden)], isLive).map((block) =>
        block.kind === "run" ? (
          <ToolRunLine key={block.key} run={block}>
            {block.blocks.map(blockView)}
          </ToolRunLine>
        ) : (
          blockView(block)
        ),
      )}
    </>
  );
}

function blockView(block: Block) {
  return (
    <ErrorBoundary key={block.key} name="This part" text={() => blockText(block)} resetOn={contentOf(block)}>
      <BlockView block={block} />
    </ErrorBoundary>
  );
}

function isWaiting(block: Block): boolean {
  if (block.kind === "ask") return isOpen(block.ask);
  return block.kind === "tool" && (block.asks.some(isOpen) || block.children.some(isWaiting));
}

function isOpen({ state, answer }: AskData): boolean {
  return state === "open" && !answer;
}

/** Blocks are recreated with every change of their message, and retrying unchanged text would be wasted. */
function contentOf(block: Block): unknown {
  return block.kind === "text" || block.kind === "reasoning" ? block.text : block;
}

function blockText(block: Block): string {
  if (block.kind === "text" || block.kind === "reasoning") return block.text;
  const { key: _, ...content } = block;
  return valueText(content);
}

const BlockView = memo(function BlockView({ block }: { block: Block }) {
  switch (block.kind) {
    case "text":
      return (
        <div data-part="text">
          <Markdown text={block.text} isStreaming={block.isStreaming} />
        </div>
      );
    case "reasoning":
      return <Reasoning text={block.text} isStreaming={block.isStreaming} />;
    case "tool":
      return (
        <ToolCard tool={block}>
          <Blocks blocks={block.children} />
        </ToolCard>
      );
    case "ask":
      return <StandaloneAsk ask={block.ask} />;
    case "plan":
      return <Plan entries={block.entries} />;
    case "edit":
      return <FileDiff edit={block.edit} isOpen />;
    case "notice":
      return <NoticeLine notice={block.notice} />;
    case "compaction":
      return <CompactionLine compaction={block.compaction} />;
    case "auth":
      return <AuthLine auth={block.auth} />;
    case "summary":
      return (
        <p className="text-muted-foreground text-xs">
          <PlainText text={block.text} />
        </p>
      );
    case "file":
      return <Attachment {...block} />;
    case "sources":
      return <Sources sources={block.sources} />;
    case "task":
      return (
        <section aria-label="Background work" className="rounded-lg border bg-raised px-3 py-2.5">
          <h3 className="mb-1.5 flex items-center gap-1.5 font-medium text-muted-foreground text-xs">
            <Cog className="size-3.5" aria-hidden="true" /> From the background
          </h3>
          <div className="space-y-2.5" data-subagent={block.task}>
            <Blocks blocks={block.children} />
          </div>
        </section>
      );
    case "discarded":
      return (
        <Discarded reason={block.reason}>
          <Blocks blocks={block.blocks} />
        </Discarded>
      );
  }
});

function StandaloneAsk({ ask }: { ask: AskData }) {
  const { session } = useConversation();
  if (isOpen(ask)) return <AskSlot session={session} ask={ask} isOpen />;
  if (ask.kind === "plan" && ask.answer && ask.description) return <AnsweredPlan ask={ask} />;
  return (
    <div data-ask={ask.ask} className="rounded-lg border bg-raised px-3 py-2.5">
      <p className="mb-1 font-medium text-[0.8125rem]">
        <PlainText text={ask.title} />
      </p>
      <AskOutcome ask={ask} />
    </div>
  );
}

/** What became of it in one line; the steps on a press. */
function AnsweredPlan({ ask }: { ask: AskData }) {
  return (
    <Collapsible.Root data-ask={ask.ask} className="overflow-hidden rounded-lg border bg-raised">
      <Collapsible.Trigger className="group flex min-h-9 w-full items-center gap-2 px-3 py-1.5 text-left hover:bg-hover pointer-coarse:min-h-10">
        <AskOutcome ask={ask} />
        <span className="ml-auto shrink-0 text-2xs text-muted-foreground">
          <PlainText text={clip(ask.title, 60)} />
        </span>
        <ChevronRight className="size-3.5 shrink-0 text-muted-foreground/70 transition-transform group-data-[state=open]:rotate-90" />
      </Collapsible.Trigger>
      <Collapsible.Content className="border-t px-3 py-2.5">
        <Markdown text={ask.description ?? ""} />
      </Collapsible.Content>
    </Collapsible.Root>
  );
}

/** What the agent took back: folded and struck out, but not hidden. */
function Discarded({ reason, children }: { reason: string; children: ReactNode }) {
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
