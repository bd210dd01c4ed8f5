/** Where a person writes: send, queue, steer, stop, and how the agent is set. */
import { ArrowUp, CornerDownRight, Paperclip, Square, X } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, useEffect, useRef } from "react";
import type { PromptPart } from "../api/types.ts";
import type { Details } from "../chat/use-details.ts";
import { Button } from "../ui/button.tsx";
import { clip } from "../ui/format.ts";
import { AgentSettings } from "./agent-settings.tsx";
import { COMMAND_MENU, CommandMenu, commandOption } from "./command-menu.tsx";
import { QUOTE_EVENT } from "./quote.ts";
import { useCommandMenu } from "./use-command-menu.ts";
import { useDraft } from "./use-draft.ts";

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
  /** Undefined if this person may not stop a turn. */
  onStop: (() => void) | undefined;
}

export function Composer(props: ComposerProps) {
  const { session, details, isBusy, unsent, onTaken } = props;
  const draft = useDraft(session, unsent, onTaken);
  const { text, files, isEmpty, setText } = draft;
  const area = useRef<HTMLTextAreaElement>(null);
  const picker = useRef<HTMLInputElement>(null);
  const capabilities = details.agent?.capabilities;
  const menu = useCommandMenu(text, details.session?.commands, setText);
  const isMenuOpen = menu.commands.length > 0;

  useEffect(() => {
    // A phone's keyboard would cover half of the conversation, and shortcuts for moving through sessions would be typed
    // into it.
    const isMoving = document.activeElement?.matches("[data-session]:focus-visible");
    if (matchMedia("(pointer: fine)").matches && !isMoving) area.current?.focus();
  }, []);

  useEffect(() => {
    const field = area.current;
    function onQuote(event: Event) {
      const before = text.trim() === "" ? "" : `${text.trimEnd()}\n\n`;
      setText(`${before}${(event as CustomEvent<string>).detail}\n\n`);
      field?.focus();
    }
    field?.addEventListener(QUOTE_EVENT, onQuote);
    return () => field?.removeEventListener(QUOTE_EVENT, onQuote);
  });

  function submit(whenBusy: "queue" | "steer" = "queue") {
    if (isEmpty) return;
    if (isBusy) props.onSendWhileBusy(draft.take(), whenBusy);
    else props.onSend(draft.take());
  }

  function onKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing || menu.onKey(event)) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      submit(isBusy && (event.metaKey || event.ctrlKey) && capabilities?.steer ? "steer" : "queue");
    }
  }

  function onPaste(event: ClipboardEvent) {
    if (!capabilities?.images || event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void draft.attach(event.clipboardData.files);
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
              // biome-ignore lint/suspicious/noArrayIndexKey: two may be the same, and a name for each would be megabytes
              key={index}
              className="flex h-6.5 max-w-56 items-center gap-1 rounded-md border bg-muted pr-1 pl-2 text-xs"
            >
              <span className="truncate">{clip(file.filename)}</span>
              <button
                type="button"
                aria-label={`Remove ${file.filename}`}
                onClick={() => draft.detach(index)}
                className="rounded p-0.5 text-muted-foreground hover:text-foreground"
              >
                <X className="size-3" />
              </button>
            </li>
          ))}
        </ul>
      )}
      {draft.problem && (
        <p role="alert" className="px-3.5 pt-2.5 text-danger-text text-xs [overflow-wrap:anywhere]">
          {draft.problem}
        </p>
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
                if (event.target.files) void draft.attach([...event.target.files]);
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
          {isBusy && props.onStop && (
            <Button
              size="small"
              aria-label="Stop the turn"
              title="Stop the turn (Esc)"
              onClick={props.onStop}
              className="h-7.5! max-md:h-8"
            >
              <Square className="fill-current" />
              <span className={isEmpty ? "" : "max-sm:sr-only"}>Stop</span>
            </Button>
          )}
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
