/** What a person said: a bubble of its own, set apart from what the agent shows. */
import { useState } from "react";
import { isNamed } from "../access/is-named.ts";
import { useAccess } from "../access/use-access.tsx";
import { Attachment } from "../parts/attachment.tsx";
import { PlainText } from "../parts/plain-text.tsx";
import { shownName } from "../people/shown-name.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { classNames } from "../ui/class-names.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { useKept } from "../ui/use-kept.ts";
import { useConversation } from "./conversation-context.ts";
import { MessageActions } from "./message-actions.tsx";
import type { MessageCommands } from "./message-commands.ts";
import type { ChatMessage } from "./page-message.ts";

const EditPrompt = lazyPart(() => import("./edit-prompt.tsx"));

interface UserMessageProps {
  message: ChatMessage;
  session: string;
  isNamed: boolean;
  commands: MessageCommands;
}

/** A prompt longer than this is folded. */
const LONG = { characters: 1_600, lines: 16 };

export function UserMessage({ message, session, isNamed: isPointedAt, commands }: UserMessageProps) {
  const { me } = useAccess();
  const [isEdited, setIsEdited] = useKept(`edited ${message.id}`, () => false, useConversation().kept);
  const by = message.metadata?.by;
  const other = by === undefined || isNamed(by, me.name) ? undefined : shownName(by);
  const files = message.parts.filter((part) => part.type === "file");
  const texts = message.parts.flatMap((part) => (part.type === "text" && part.text ? [part.text] : []));
  const { edit } = commands;
  return (
    <article
      data-message={message.id}
      data-role="user"
      data-named={isPointedAt || undefined}
      aria-label={other ?? "You"}
      className="group/message flex flex-col items-end"
    >
      {other && (
        <p className="mr-1 mb-0.5 max-w-full truncate font-medium text-2xs text-muted-foreground">{other}</p>
      )}
      {isEdited && edit ? (
        <div className="w-full">
          <EditPrompt
            message={message}
            onCancel={() => setIsEdited(false)}
            onSend={(parts) => {
              setIsEdited(false);
              edit(message.id, parts);
            }}
          />
        </div>
      ) : (
        <>
          <div className="flex w-full flex-row-reverse items-center gap-1">
            {texts.length > 0 && <Bubble texts={texts} />}
            <MessageActions
              message={message}
              session={session}
              commands={commands}
              isShown={false}
              isNarrow
              onEdit={edit && (() => setIsEdited(true))}
            />
          </div>
          {files.length > 0 && (
            <div
              className={classNames(
                "flex max-w-[85%] flex-wrap justify-end gap-2",
                texts.length > 0 && "mt-2",
              )}
            >
              <BoundedList items={files} step={30} name="files">
                {({ url, mediaType, filename }, index) => (
                  <Attachment key={index} url={url} mediaType={mediaType} filename={filename} />
                )}
              </BoundedList>
            </div>
          )}
        </>
      )}
    </article>
  );
}

function Bubble({ texts }: { texts: readonly string[] }) {
  const [isWhole, setIsWhole] = useState(false);
  const isLong = texts.some(
    (text) => text.length > LONG.characters || text.split("\n", LONG.lines + 1).length > LONG.lines,
  );
  return (
    <div className="min-w-0 max-w-[82%] rounded-2xl rounded-br-md bg-primary-soft px-3.5 py-2">
      <BoundedList items={texts} step={30} name="texts">
        {(text, index) => (
          <p
            key={index}
            data-part="text"
            className={classNames(
              "whitespace-pre-wrap leading-relaxed [overflow-wrap:anywhere]",
              isLong && !isWhole && "line-clamp-[10]",
            )}
          >
            <PlainText text={text} />
          </p>
        )}
      </BoundedList>
      {isLong && (
        <button
          type="button"
          onClick={() => setIsWhole(!isWhole)}
          className="mt-1 font-medium text-primary-text text-xs hover:underline touch:h-10"
        >
          {isWhole ? "Show less" : "Show all"}
        </button>
      )}
    </div>
  );
}
