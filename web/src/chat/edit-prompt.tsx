/** A sent prompt that is being changed, to be sent again in its place. */
import { X } from "lucide-react";
import { type FormEvent, type KeyboardEvent, useEffect, useRef } from "react";
import { flushSync } from "react-dom";
import type { PromptPart } from "../api/types.ts";
import { Button } from "../ui/button.tsx";
import { focusFirst } from "../ui/focus-first.ts";
import { clip } from "../ui/format.ts";
import { useKept } from "../ui/use-kept.ts";
import { useConversation } from "./conversation-context.ts";
import { messageText } from "./message-text.ts";
import type { ChatMessage } from "./page-message.ts";

interface EditPromptProps {
  message: ChatMessage;
  onSend: (parts: PromptPart[]) => void;
  onCancel: () => void;
}

interface Draft {
  text: string;
  files: { type: "file"; url: string; mediaType: string; filename?: string }[];
}

export default function EditPrompt({ message, onSend, onCancel }: EditPromptProps) {
  const { kept } = useConversation();
  const [{ text, files }, setDraft] = useKept<Draft>(`edit ${message.id}`, () => draftOf(message), kept);
  const field = useRef<HTMLTextAreaElement>(null);
  const isEmpty = text.trim() === "" && files.length === 0;

  useEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length);
  }, []);

  function leave(then: () => void) {
    flushSync(() => {
      setDraft(draftOf(message));
      then();
    });
  }

  /** The button that it began with has the focus again. */
  function cancel() {
    const around = field.current?.closest("[data-message]");
    leave(onCancel);
    focusFirst(around?.querySelector("button[aria-label=Edit]"));
  }

  function send(event?: FormEvent) {
    event?.preventDefault();
    if (isEmpty) return;
    leave(() => onSend([...(text.trim() ? [{ type: "text" as const, text }] : []), ...files]));
    focusFirst();
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.stopPropagation();
      cancel();
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    send();
  }

  return (
    <form onSubmit={send} className="rounded-2xl border border-ring bg-raised p-2.5 shadow-xs">
      <textarea
        ref={field}
        aria-label="Change the prompt"
        value={text}
        rows={Math.min(14, Math.max(2, text.split("\n", 15).length))}
        onChange={({ target }) => setDraft({ text: target.value, files })}
        onKeyDown={onKeyDown}
        className="block w-full resize-none bg-transparent px-1 leading-relaxed outline-none [field-sizing:content] max-h-[40vh] touch:text-base"
      />
      {files.length > 0 && (
        <ul aria-label="Files" className="mt-2 flex flex-wrap gap-1.5">
          {files.map((file, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: a file has no other identity
              key={index}
              className="flex max-w-full items-center gap-1.5 rounded-md border bg-muted py-0.5 pr-0.5 pl-2 text-xs"
            >
              <span className="truncate">{clip(file.filename ?? file.mediaType, 80)}</span>
              <button
                type="button"
                aria-label={`Remove ${clip(file.filename ?? file.mediaType, 80)}`}
                onClick={() => setDraft({ text, files: files.filter((_, at) => at !== index) })}
                className="grid size-6 place-items-center rounded hover:bg-hover touch:size-10"
              >
                <X className="size-3" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <div className="mt-2 flex flex-wrap items-center justify-end gap-2">
        <p className="mr-auto pl-1 text-2xs text-muted-foreground">
          What came after it is taken back. Files stay as they are.
        </p>
        <Button size="small" look="ghost" onClick={cancel}>
          Cancel
        </Button>
        <Button size="small" look="primary" type="submit" disabled={isEmpty}>
          Send again
        </Button>
      </div>
    </form>
  );
}

function draftOf(message: ChatMessage): Draft {
  return {
    text: messageText(message),
    files: message.parts.flatMap((part) =>
      part.type === "file"
        ? [{ type: "file" as const, url: part.url, mediaType: part.mediaType, filename: part.filename }]
        : [],
    ),
  };
}
