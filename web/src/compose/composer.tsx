/** Where a person writes: text, files, commands of the agent, names of files, and what was asked before. */
import { CloudOff } from "lucide-react";
import { type ClipboardEvent, type KeyboardEvent, memo, useEffect, useRef, useState } from "react";
import { useAccess } from "../access/use-access.tsx";
import type { PromptPart } from "../api/types.ts";
import { firstOpenAsk } from "../asks/first-open-ask.ts";
import type { Details } from "../chat/use-details.ts";
import { Button } from "../ui/button.tsx";
import { classNames } from "../ui/class-names.ts";
import { lazyPart } from "../ui/lazy-part.tsx";
import { Problem } from "../ui/problem.tsx";
import { TEXT_ONLY } from "./attached-file.ts";
import { AttachedFiles } from "./attached-files.tsx";
import { ComposerBar } from "./composer-bar.tsx";
import type { WhenBusy } from "./kept-prompts.ts";
import { PromptCompletions } from "./prompt-completions.tsx";
import { addToHistory, keptHistory, mergeHistory } from "./prompt-history.ts";
import { QUOTE_EVENT } from "./quote.ts";
import { useDraft } from "./use-draft.ts";
import { useFileDrop } from "./use-file-drop.ts";
import { useHeldSend } from "./use-held-send.ts";
import { useOnceRead } from "./use-once-read.ts";
import { usePromptField } from "./use-prompt-field.ts";
import { useRecall } from "./use-recall.ts";

const HistorySearch = lazyPart(() => import("./history-search.tsx"));

/** An Enter so soon after a prompt was sent was meant for the field, not for an ask that came meanwhile. */
const STILL_SENDING_MS = 1500;

interface ComposerProps {
  session: string;
  details: Details;
  isBusy: boolean;
  isStopping: boolean;
  /** Whether something in this session waits for this person. */
  isAsked: boolean;
  /** Prompts of this session, newest first. */
  getHistory: () => readonly string[];
  /** A prompt that was not sent comes back here. */
  unsent: readonly PromptPart[] | undefined;
  onTaken: () => void;
  onSend: (parts: PromptPart[]) => void;
  onSendWhileBusy: (parts: PromptPart[], whenBusy: WhenBusy) => void;
  /** Undefined if this person may not stop a turn. */
  onStop: (() => void) | undefined;
}

export const Composer = memo(function Composer(props: ComposerProps) {
  const { session, details, isBusy, isAsked, unsent, onTaken } = props;
  const draft = useDraft(session, unsent, onTaken);
  const { text, files, isEmpty, setText } = draft;
  const { can } = useAccess();
  const [isSearching, setIsSearching] = useState(false);
  const sentAt = useRef(Number.NEGATIVE_INFINITY);
  /** When the session was opened: then the ask has the focus. */
  const [isAskFirst] = useState(isAsked && isEmpty);
  const capabilities = details.agent?.capabilities;
  const field = usePromptField({
    session: can("session.prompt") ? session : undefined,
    commands: details.session?.commands,
    text,
    // What is changed is not finished.
    setText: (next) => {
      keep();
      setText(next);
    },
  });
  const { area, menu, write } = field;
  const held = useHeldSend(session, sendNow);
  const onceRead = useOnceRead(draft, held.send);
  const waitsFor = onceRead.isWaiting ? "its files are read" : held.isHeld && "the connection is back";
  const onRecall = useRecall(text, history, write);
  const isDroppedOn = useFileDrop(attach);

  useEffect(() => {
    // A phone's keyboard would cover half of the conversation, and shortcuts for moving through sessions would be typed
    // into it.
    const isMoving = document.activeElement?.matches("[data-session]:focus-visible");
    if (matchMedia("(pointer: fine)").matches && !isMoving && !isAskFirst) area.current?.focus();
  }, [area, isAskFirst]);

  useEffect(() => {
    const element = area.current;
    function onQuote(event: Event) {
      const before = text.trim() === "" ? "" : `${text.trimEnd()}\n\n`;
      const quoted = `${before}${(event as CustomEvent<string>).detail}\n\n`;
      write(quoted, quoted.length);
    }
    element?.addEventListener(QUOTE_EVENT, onQuote);
    return () => element?.removeEventListener(QUOTE_EVENT, onQuote);
  });

  function history(): string[] {
    return mergeHistory(props.getHistory(), keptHistory());
  }

  function attach(list: Iterable<File>) {
    if (capabilities?.images) void draft.attach(list);
    else draft.refuse(TEXT_ONLY);
  }

  function submit(whenBusy: WhenBusy = "queue") {
    if (!isEmpty) onceRead.send(whenBusy);
  }

  /** It is not sent by itself any more. */
  function keep() {
    held.keep();
    onceRead.keep();
  }

  function sendNow(whenBusy: WhenBusy) {
    if (isEmpty) return;
    addToHistory(text);
    sentAt.current = performance.now();
    if (isBusy) props.onSendWhileBusy(draft.take(), whenBusy);
    else props.onSend(draft.take());
  }

  /** Whether there is an ask, which has the focus then. */
  function leadToAsk(): boolean {
    const ask = isAsked ? firstOpenAsk() : null;
    ask?.focus();
    return ask !== null;
  }

  function onKey(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (event.nativeEvent.isComposing || menu.onKey(event) || onRecall(event)) return;
    if (event.key === "r" && event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      setIsSearching(true);
    }
    // What is written is not to be lost from sight, and an ask not answered by an end: the next one stops the turn.
    if (event.key === "Escape" && isBusy && !(isEmpty && !isAsked)) {
      event.preventDefault();
      if (!leadToAsk()) area.current?.blur();
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      // There is nothing to send, and a key that is still pressed, or pressed twice, has sent already.
      const isSending = event.repeat || performance.now() - sentAt.current < STILL_SENDING_MS;
      if (isEmpty && (isSending || leadToAsk())) return;
      submit(isBusy && (event.metaKey || event.ctrlKey) && capabilities?.steer ? "steer" : "queue");
    }
  }

  function onPaste(event: ClipboardEvent) {
    const { files: pasted } = event.clipboardData;
    if (pasted.length === 0) return;
    event.preventDefault();
    attach(pasted);
  }

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
      className={classNames(
        "relative rounded-xl border border-input bg-raised shadow-xs focus-within:border-ring/60",
        isDroppedOn && "border-ring! ring-2 ring-ring/40",
      )}
    >
      {isDroppedOn && (
        <p className="pointer-events-none absolute inset-0 z-10 grid place-items-center rounded-xl bg-raised/90 font-medium text-primary-text">
          {capabilities?.images ? "Drop files to attach them" : "This agent takes text only"}
        </p>
      )}
      <AttachedFiles files={files} onRemove={draft.detach} />
      <Problem text={draft.problem} className="px-3.5 pt-2.5 [overflow-wrap:anywhere]" />
      {(waitsFor || draft.note) && (
        <p
          role="status"
          data-unsent
          className="flex items-start gap-2 px-3.5 pt-2.5 text-waiting-text text-xs leading-5"
        >
          <CloudOff className="mt-0.75 size-3.5 shrink-0" aria-hidden="true" />
          <span className="min-w-0 flex-1">
            {waitsFor ? `Not sent yet. It is sent as soon as ${waitsFor}.` : draft.note}
          </span>
          {waitsFor && (
            <Button look="ghost" size="small" onClick={keep} className="-my-0.5 shrink-0">
              Do not send
            </Button>
          )}
        </p>
      )}
      {/* Above the field, over the conversation: nothing moves while somebody writes. */}
      <div className="absolute inset-x-0 bottom-full z-20 [&>[role=listbox]]:mx-0 [&>[role=listbox]]:shadow-pop [&>[role=listbox]]:mb-1.5 [&>[role=listbox]]:border-0 [&>[role=listbox]]:bg-raised">
        <PromptCompletions menu={menu} />
      </div>
      <textarea
        ref={area}
        id="composer"
        aria-label="Message to the agent"
        placeholder={
          isAsked
            ? matchMedia("(pointer: fine)").matches
              ? "Enter to answer, or write what comes next"
              : "Answer above, or write what comes next"
            : isBusy
              ? "Write what comes next"
              : "Ask for something"
        }
        rows={1}
        {...field.props}
        onKeyDown={onKey}
        onPaste={onPaste}
        className="field-sizing-content block max-h-[38dvh] min-h-11 w-full resize-none bg-transparent px-3.5 pt-3 pb-1 leading-relaxed outline-none placeholder:text-muted-foreground touch:text-base"
      />
      <ComposerBar
        details={details}
        isBusy={isBusy}
        isStopping={props.isStopping}
        isEmpty={isEmpty}
        isHeld={Boolean(waitsFor)}
        onAttach={attach}
        onHistory={() => setIsSearching(true)}
        onSteer={() => submit("steer")}
        onStop={props.onStop}
        onCompact={() => props.onSend([{ type: "text", text: "/compact" }])}
      />
      {isSearching && (
        <HistorySearch
          history={history()}
          onClose={() => setIsSearching(false)}
          onPick={(picked) => {
            setIsSearching(false);
            write(picked, picked.length);
          }}
        />
      )}
    </form>
  );
});
