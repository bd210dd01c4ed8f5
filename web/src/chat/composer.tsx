/** Where a person writes: send, queue, steer, stop, and how the agent is set. */
import { ArrowUp, CornerDownRight, Paperclip, Square, X } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef, useState } from "react";
import type { PromptPart } from "../api/types.ts";
import { Button } from "../ui/button.tsx";
import { AgentSettings } from "./agent-settings.tsx";
import { type AttachedFile, readFiles } from "./attached-file.ts";
import { COMMAND_MENU, CommandMenu, commandOption } from "./command-menu.tsx";
import { useCommandMenu } from "./use-command-menu.ts";
import type { Details } from "./use-details.ts";

interface ComposerProps {
  session: string;
  details: Details;
  isBusy: boolean;
  isClosed: boolean;
  /** A prompt that was not sent comes back here. */
  unsent: readonly PromptPart[] | undefined;
  onTaken: () => void;
  onSend: (parts: PromptPart[]) => void;
  onSendWhileBusy: (parts: PromptPart[], whenBusy: "queue" | "steer") => void;
  onStop: () => void;
}

/** What was written but not sent, by session, as long as the page is open. */
const drafts = new Map<string, string>();

export function Composer(props: ComposerProps) {
  const { session, details, isBusy, unsent, onTaken } = props;
  const [text, setText] = useState(() => drafts.get(session) ?? "");
  const [files, setFiles] = useState<AttachedFile[]>([]);
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const capabilities = details.agent?.capabilities;
  const menu = useCommandMenu(text, details.session?.commands, setText);
  const isMenuOpen = menu.commands.length > 0;

  useEffect(() => {
    drafts.set(session, text);
  }, [session, text]);
  useEffect(() => {
    // A phone would cover half of the conversation with its keyboard.
    if (matchMedia("(pointer: fine)").matches) area.current?.focus();
  }, []);
  useEffect(() => {
    if (!unsent) return;
    const former = unsent.map((part) => (part.type === "text" ? part.text : "")).join("\n");
    setText((now) => (now.trim() === "" ? former : `${former}\n${now}`));
    onTaken();
  }, [unsent, onTaken]);

  const isEmpty = text.trim() === "" && files.length === 0;

  function take(): PromptPart[] {
    const parts: PromptPart[] = files.map(({ url, mediaType, filename }) => ({
      type: "file",
      url,
      mediaType,
      filename,
    }));
    if (text.trim() !== "") parts.push({ type: "text", text });
    setText("");
    setFiles([]);
    return parts;
  }

  function submit(whenBusy: "queue" | "steer" = "queue") {
    if (isEmpty) return;
    if (isBusy) props.onSendWhileBusy(take(), whenBusy);
    else props.onSend(take());
  }

  function onKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || menu.onKey(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      submit(isBusy && (event.metaKey || event.ctrlKey) && capabilities?.steer ? "steer" : "queue");
    } else if (event.key === "Escape" && isBusy && isEmpty) {
      event.preventDefault();
      props.onStop();
    }
  }

  async function attach(list: FileList | readonly File[]) {
    const added = await readFiles([...list]);
    setFiles((before) => [...before, ...added]);
  }

  function onPaste(event: ClipboardEvent) {
    if (!capabilities?.images || event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void attach(event.clipboardData.files);
  }

  if (props.isClosed) {
    return (
      <p className="rounded-xl border border-dashed px-4 py-3 text-center text-muted-foreground">
        This session is closed. Its conversation stays readable.
      </p>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className="rounded-xl border border-input bg-raised shadow-xs focus-within:border-ring/60"
    >
      {files.length > 0 && (
        <ul className="flex flex-wrap gap-1.5 px-3 pt-3" aria-label="Attached files">
          {files.map((file, index) => (
            <li
              key={file.url}
              className="flex h-6.5 max-w-56 items-center gap-1 rounded-md border bg-muted pr-1 pl-2 text-xs"
            >
              <span className="truncate">{file.filename}</span>
              <button
                type="button"
                aria-label={`Remove ${file.filename}`}
                onClick={() => setFiles(files.filter((_, other) => other !== index))}
                className="rounded p-0.5 text-muted-foreground hover:text-foreground"
              >
                <X className="size-3" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {isMenuOpen && <CommandMenu commands={menu.commands} chosen={menu.chosen} onPick={menu.pick} />}
      <textarea
        ref={area}
        id="composer"
        aria-label="Message to the agent"
        aria-controls={isMenuOpen ? COMMAND_MENU : undefined}
        aria-activedescendant={isMenuOpen ? commandOption(menu.chosen) : undefined}
        placeholder={isBusy ? "Write the next prompt while the agent works" : "Ask for something"}
        rows={1}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKey}
        onPaste={onPaste}
        className="field-sizing-content block max-h-[38dvh] min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 leading-relaxed outline-none placeholder:text-muted-foreground max-md:text-base"
      />
      <div className="flex items-center gap-1 px-2 pb-2">
        {capabilities?.images && (
          <>
            <input
              ref={picker}
              type="file"
              multiple
              hidden
              onChange={(event) => {
                if (event.target.files) void attach(event.target.files);
                event.target.value = "";
              }}
            />
            <Button
              look="ghost"
              size="icon"
              aria-label="Attach files"
              title="Attach files"
              onClick={() => picker.current?.click()}
            >
              <Paperclip />
            </Button>
          </>
        )}
        <div className={isBusy && !isEmpty ? "min-w-0 max-sm:hidden" : "min-w-0"}>
          <AgentSettings details={details} />
        </div>
        <div className="ml-auto flex items-center gap-1.5">
          {isBusy && !isEmpty && (
            <>
              {capabilities?.steer && (
                <Button
                  size="small"
                  title="Give it to the agent in the running turn (Ctrl Enter)"
                  onClick={() => submit("steer")}
                  className="max-md:h-8"
                >
                  <CornerDownRight /> Steer
                </Button>
              )}
              <Button
                size="small"
                look="primary"
                type="submit"
                title="Runs when the turn has ended (Enter)"
                className="max-md:h-8"
              >
                Queue
              </Button>
            </>
          )}
          {isBusy && isEmpty && (
            <Button
              size="small"
              aria-label="Stop the turn"
              title="Stop the turn (Esc)"
              onClick={props.onStop}
              className="h-7.5! max-md:h-8"
            >
              <Square className="fill-current" /> Stop
            </Button>
          )}
          {!isBusy && (
            <Button
              size="icon"
              look="primary"
              type="submit"
              aria-label="Send"
              title="Send (Enter)"
              disabled={isEmpty}
              className="rounded-lg!"
            >
              <ArrowUp />
            </Button>
          )}
        </div>
      </div>
    </form>
  );
}
