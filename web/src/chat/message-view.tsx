/** One message of the conversation. */
import { memo, useMemo } from "react";
import { isCutOff } from "../../../src/core/is-cut-off.ts";
import { UndoTurn } from "../files/undo-turn.tsx";
import { UndoneContext, useUndone } from "../files/use-restores.ts";
import { Blocks } from "../parts/blocks.tsx";
import { PlainText } from "../parts/plain-text.tsx";
import { valueText } from "../parts/tool-summary.ts";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { useKept } from "../ui/use-kept.ts";
import { ConversationContext } from "./conversation-context.ts";
import { firstLine } from "./first-line.ts";
import { MessageActions } from "./message-actions.tsx";
import { type Block, messageBlocks } from "./message-blocks.ts";
import type { MessageCommands } from "./message-commands.ts";
import { MessageEnding } from "./message-ending.tsx";
import { MessageUsage } from "./message-usage.tsx";
import { asDaemonMessage, type ChatMessage, type MessageMetadata } from "./page-message.ts";
import { UserMessage } from "./user-message.tsx";

interface MessageViewProps {
  message: ChatMessage;
  session: string;
  cwd: string | undefined;
  isLive: boolean;
  isLast: boolean;
  /** Whether the address names it. */
  isNamed: boolean;
  liveOutput: ReadonlyMap<string, string>;
  kept: Map<string, unknown>;
  commands: MessageCommands;
}

export const MessageView = memo(function MessageView(props: MessageViewProps) {
  const { message, session, cwd, isLive, liveOutput, kept, isNamed, commands } = props;
  const context = useMemo(
    () => ({ session, cwd, isLive, liveOutput, kept }),
    [session, cwd, isLive, liveOutput, kept],
  );
  return (
    <ErrorBoundary name="This message" text={() => wholeText(message)} resetOn={message}>
      <ConversationContext value={context}>
        {message.role === "user" ? (
          <UserMessage message={message} session={session} isNamed={isNamed} commands={commands} />
        ) : message.role === "system" ? (
          <SystemMessage message={message} isNamed={isNamed} />
        ) : (
          <AssistantMessage {...props} />
        )}
      </ConversationContext>
    </ErrorBoundary>
  );
});

function wholeText({ parts }: ChatMessage): string {
  return parts.map((part) => (part.type === "text" ? part.text : valueText(part))).join("\n\n");
}

function AssistantMessage(props: MessageViewProps) {
  const { message, session, isLive, isLast, isNamed, kept, commands } = props;
  const [isCollapsed, setIsCollapsed] = useKept(`collapsed ${message.id}`, () => false, kept);
  const blocks = useMemo(() => messageBlocks(asDaemonMessage(message)), [message]);
  const { regenerate, retry, changeModel } = commands;
  const turn = message.metadata?.turn;
  const edited = useMemo(() => editedFiles(message), [message]);
  const undone = useUndone(turn, edited);
  // It says so in words where a turn did not end well.
  const canRegenerate = isLast && !isRetried(message.metadata ?? {});
  return (
    <article
      data-message={message.id}
      data-role="assistant"
      data-named={isNamed || undefined}
      aria-label="Agent"
      className="group/message space-y-3"
    >
      {isCollapsed ? (
        <CollapsedMessage blocks={blocks} onShow={() => setIsCollapsed(false)} />
      ) : (
        <>
          <UndoneContext value={undone}>
            <Blocks blocks={blocks} />
          </UndoneContext>
          {!isLive && message.metadata && (
            <>
              <MessageEnding
                metadata={message.metadata}
                onRetry={isLast && retry ? () => retry(message.id) : undefined}
                onChangeModel={isLast ? changeModel : undefined}
              />
              <div className="-mb-1.5 flex flex-wrap items-center gap-x-2">
                <MessageUsage metadata={message.metadata} />
                {turn !== undefined && edited.length > 0 && (
                  <UndoTurn
                    session={session}
                    turn={turn}
                    undone={undone}
                    isAll={undone.size === edited.length}
                  />
                )}
                <MessageActions
                  message={message}
                  session={session}
                  commands={commands}
                  isShown={isLast}
                  onRegenerate={canRegenerate && regenerate ? () => regenerate(message.id) : undefined}
                  onCollapse={() => setIsCollapsed(true)}
                />
              </div>
            </>
          )}
        </>
      )}
    </article>
  );
}

/** Whether its end offers to do the turn again. */
function isRetried({ outcome, error }: MessageMetadata): boolean {
  return outcome === "failed" || outcome === "limit" || isCutOff(error?.code);
}

function editedFiles(message: ChatMessage): string[] {
  const edits = asDaemonMessage(message).parts.flatMap((part) =>
    part.type === "data-file-edit" ? part.data.path : [],
  );
  return [...new Set(edits)];
}

/** What was taken back is not what it says. */
function CollapsedMessage({ blocks, onShow }: { blocks: readonly Block[]; onShow: () => void }) {
  const [text = ""] = blocks.flatMap((block) => (block.kind === "text" ? [block.text] : []));
  return (
    <button
      type="button"
      aria-expanded={false}
      onClick={onShow}
      className="flex min-h-9 w-full items-center gap-2 rounded-lg border border-dashed px-3 py-1.5 text-left text-muted-foreground text-xs hover:bg-hover hover:text-foreground touch:min-h-10"
    >
      <span className="min-w-0 flex-1 truncate">{firstLine(text) || "The agent worked"}</span>
      <span className="shrink-0 font-medium">Show</span>
    </button>
  );
}

/** Why the agent began by itself: a quiet divider. */
function SystemMessage({ message, isNamed }: { message: ChatMessage; isNamed: boolean }) {
  const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join(" ");
  return (
    <div
      data-message={message.id}
      data-role="system"
      data-named={isNamed || undefined}
      className="flex items-center gap-3 text-muted-foreground text-xs"
    >
      <span className="h-px flex-1 bg-border" />
      <span data-part="text" className="max-w-[80%] text-center">
        <PlainText text={text} />
      </span>
      <span className="h-px flex-1 bg-border" />
    </div>
  );
}
