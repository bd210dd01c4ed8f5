/** One message of the conversation. */
import { memo, useMemo } from "react";
import { isNamed } from "../access/is-named.ts";
import { useAccess } from "../access/use-access.tsx";
import { UndoTurn } from "../files/undo-turn.tsx";
import { Attachment } from "../parts/attachment.tsx";
import { Blocks } from "../parts/blocks.tsx";
import { PlainText } from "../parts/plain-text.tsx";
import { valueText } from "../parts/tool-summary.ts";
import { shownName } from "../people/shown-name.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { ConversationContext } from "./conversation-context.ts";
import { messageBlocks } from "./message-blocks.ts";
import { MessageFooter } from "./message-footer.tsx";
import { asDaemonMessage, type ChatMessage } from "./page-message.ts";

interface MessageViewProps {
  message: ChatMessage;
  session: string;
  cwd: string | undefined;
  isLive: boolean;
  liveOutput: ReadonlyMap<string, string>;
}

export const MessageView = memo(function MessageView({ message, ...rest }: MessageViewProps) {
  return (
    <ErrorBoundary name="This message" text={() => messageText(message)} resetOn={message}>
      {message.role === "user" ? (
        <UserMessage message={message} />
      ) : message.role === "system" ? (
        <SystemMessage message={message} />
      ) : (
        <AssistantMessage message={message} {...rest} />
      )}
    </ErrorBoundary>
  );
});

function messageText({ parts }: ChatMessage): string {
  return parts.map((part) => (part.type === "text" ? part.text : valueText(part))).join("\n\n");
}

function AssistantMessage({ message, session, cwd, isLive, liveOutput }: MessageViewProps) {
  const blocks = useMemo(() => messageBlocks(asDaemonMessage(message)), [message]);
  const turn = message.metadata?.turn;
  const context = useMemo(() => ({ session, cwd, isLive, liveOutput }), [session, cwd, isLive, liveOutput]);
  return (
    <article data-message={message.id} data-role="assistant" aria-label="Agent" className="space-y-3">
      <ConversationContext value={context}>
        <Blocks blocks={blocks} />
      </ConversationContext>
      {!isLive && message.metadata && <MessageFooter metadata={message.metadata} />}
      {!isLive && turn !== undefined && changedFiles(message) && <UndoTurn session={session} turn={turn} />}
    </article>
  );
}

function changedFiles({ parts }: ChatMessage): boolean {
  return parts.some(({ type }) => type === "data-file-edit");
}

function UserMessage({ message }: { message: ChatMessage }) {
  const { me } = useAccess();
  const by = message.metadata?.by;
  const other = by === undefined || isNamed(by, me.name) ? undefined : shownName(by);
  const files = message.parts.filter((part) => part.type === "file");
  return (
    <article
      data-message={message.id}
      data-role="user"
      aria-label={other ?? "You"}
      className="scroll-mt-4 rounded-xl border bg-muted px-3.5 py-2.5"
    >
      {other && <p className="mb-0.5 truncate font-medium text-2xs text-muted-foreground">{other}</p>}
      {message.parts.map((part, index) =>
        part.type === "text" ? (
          <p
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a sent message never move
            key={index}
            data-part="text"
            className="whitespace-pre-wrap leading-relaxed [overflow-wrap:anywhere]"
          >
            <PlainText text={part.text} />
          </p>
        ) : null,
      )}
      {files.length > 0 && (
        <div className="mt-2 flex flex-wrap gap-2">
          <BoundedList items={files} step={30} name="files">
            {({ url, mediaType, filename }, index) => (
              <Attachment key={index} url={url} mediaType={mediaType} filename={filename} />
            )}
          </BoundedList>
        </div>
      )}
    </article>
  );
}

/** Why the agent began by itself: a quiet divider. */
function SystemMessage({ message }: { message: ChatMessage }) {
  const text = message.parts.map((part) => (part.type === "text" ? part.text : "")).join(" ");
  return (
    <div
      data-message={message.id}
      data-role="system"
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
