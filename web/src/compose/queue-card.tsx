/** One prompt that waits. */
import { Check, GripVertical, Paperclip, Pencil, Send, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { daemon } from "../api/client.ts";
import { messageOf } from "../api/error-text.ts";
import type { PromptPart, QueuedPrompt } from "../api/types.ts";
import { shownName } from "../people/shown-name.ts";
import { classNames } from "../ui/class-names.ts";
import { focusFirst } from "../ui/focus-first.ts";
import { clip } from "../ui/format.ts";
import { Problem } from "../ui/problem.tsx";
import { appendToDraft } from "./kept-prompts.ts";
import type { CardDrag } from "./use-card-drag.ts";

interface QueueCardProps {
  session: string;
  prompt: QueuedPrompt;
  text: string;
  place: number;
  count: number;
  isOwn: boolean;
  canChange: boolean;
  /** What sending it now does to the running turn. Undefined if it cannot be sent now. */
  sendsBy: "steer" | "stop" | "start" | "again" | undefined;
  /** Called when somebody begins to change it. */
  onEdit: () => void;
  onMove: (to: number) => void;
  drag: CardDrag;
}

const SENDING = {
  steer: "Send now: the agent takes it into the running turn",
  stop: "Send now: stops the turn and runs this next",
  start: "Send now: runs this first, the others after it",
  again: "Send now: tries it again",
};

const NOT_SAVED = "Your change of a waiting prompt was not saved. What you wrote is here.";

export function QueueCard(props: QueueCardProps) {
  const { session, prompt, place, count, isOwn, canChange, sendsBy, onEdit, onMove, drag } = props;
  const card = useRef<HTMLLIElement>(null);
  const [draft, setDraft] = useState<string>();
  /** As it was just changed, until the daemon tells. */
  const [changed, setChanged] = useState<string>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what the daemon tells wins
  useEffect(() => setChanged(undefined), [props.text]);
  const text = changed ?? props.text;
  const [problem, setProblem] = useState<string>();
  const [isSending, setIsSending] = useState(false);
  const params = { id: session, message: prompt.message };
  const files = prompt.parts.filter(({ type }) => type === "file").length;
  const title = clip(text, 60) || "files";
  const canMove = canChange && count > 1;

  // It may begin, or be withdrawn elsewhere, while somebody changes it. What they wrote is not to go with it.
  const unsaved = useRef<string>(undefined);
  unsaved.current = draft?.trim() === text.trim() ? undefined : draft?.trim();
  const isGone = useRef(false);
  useEffect(() => {
    isGone.current = false;
    return () => {
      isGone.current = true;
      if (!unsaved.current) return;
      appendToDraft(session, unsaved.current, NOT_SAVED);
      // They write on where it is now.
      if (document.activeElement === document.body) focusFirst();
    };
  }, [session]);

  function attempt(work: Promise<unknown>, onFailed: () => void = () => {}) {
    setProblem(undefined);
    work.catch((error) => {
      setProblem(messageOf(error));
      onFailed();
    });
  }

  function edit() {
    onEdit();
    setProblem(undefined);
    setDraft(text);
  }

  /** Opens the editor again. The focus goes there only from this card: somebody may be writing elsewhere. */
  function editAgain(value: string) {
    if (isGone.current) return appendToDraft(session, value, NOT_SAVED);
    const hasFocus = card.current?.contains(document.activeElement);
    flushSync(() => {
      setChanged(undefined);
      setDraft((now) => now ?? value);
    });
    if (hasFocus) card.current?.querySelector("textarea")?.focus();
  }

  /** Ends the change by a key or a button; the focus stays at the card. */
  function finish(end: () => void) {
    flushSync(end);
    focusFirst(card.current?.querySelector("[data-text]"));
  }

  function cancel() {
    setDraft(undefined);
  }

  function save() {
    const value = draft?.trim();
    setDraft(undefined);
    if (!value || value === text.trim()) return;
    setChanged(value);
    const parts: PromptPart[] = [
      ...prompt.parts.filter(({ type }) => type !== "text"),
      { type: "text", text: value },
    ];
    const saved = daemon().call("PATCH /v1/sessions/{id}/queue/{message}", { params, body: { parts } });
    attempt(saved, () => editAgain(value));
  }

  function onEditKey(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") {
      event.preventDefault();
      finish(cancel);
    }
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      finish(save);
    }
  }

  function onMoveKey(event: KeyboardEvent) {
    const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const to = place + by;
    if (to >= 0 && to < count) onMove(to);
  }

  function withdraw() {
    focusFirst();
    attempt(daemon().call("DELETE /v1/sessions/{id}/queue/{message}", { params }));
  }

  function sendNow() {
    focusFirst();
    setIsSending(true);
    const sent = daemon().call("POST /v1/sessions/{id}/queue/{message}/send", { params });
    attempt(sent.finally(() => setIsSending(false)));
  }

  return (
    <li
      ref={card}
      data-queued={prompt.message}
      style={drag.style}
      className={classNames(
        "rounded-lg border bg-raised py-1 pr-1 shadow-xs",
        canMove ? "pl-0.5" : "pl-3",
        drag.isHeld ? "relative z-10 shadow-pop" : "motion-safe:transition-transform",
      )}
    >
      <div className="flex items-center gap-1">
        {canMove && (
          <button
            type="button"
            aria-label={`Move “${title}”, place ${place + 1} of ${count}`}
            title="Drag, or use the arrow keys"
            onKeyDown={onMoveKey}
            {...drag.handle}
            className="grid h-7.5 w-6 shrink-0 cursor-grab touch-none place-items-center rounded text-muted-foreground hover:text-foreground active:cursor-grabbing touch:-ml-2 touch:h-10 touch:w-10"
          >
            <GripVertical className="size-3.5" />
          </button>
        )}
        {draft === undefined ? (
          <PromptText text={text} onChange={canChange ? edit : undefined} />
        ) : (
          <textarea
            // biome-ignore lint/a11y/noAutofocus: it appears because the person asked for it, unless something failed
            autoFocus={problem === undefined}
            aria-label="Change the waiting prompt"
            rows={Math.min(6, draft.split("\n").length)}
            value={draft}
            onChange={(event) => setDraft(event.target.value)}
            onKeyDown={onEditKey}
            onBlur={save}
            className="field-sizing-content max-h-40 min-w-0 flex-1 resize-none rounded border border-input bg-background px-2 py-1 leading-5 touch:text-base"
          />
        )}
        {files > 0 && (
          <span
            title={`${files} ${files === 1 ? "file" : "files"}`}
            className="flex shrink-0 items-center gap-0.5 text-2xs text-muted-foreground"
          >
            <Paperclip className="size-3" aria-hidden="true" /> {files}
          </span>
        )}
        {!isOwn && prompt.by !== undefined && (
          <span className="max-w-40 shrink-0 truncate text-2xs text-muted-foreground">
            by {shownName(prompt.by)}
          </span>
        )}
        {draft !== undefined ? (
          <>
            <IconButton label="Save" keepsFocus onClick={() => finish(save)}>
              <Check />
            </IconButton>
            <IconButton label="Cancel" keepsFocus onClick={() => finish(cancel)}>
              <X />
            </IconButton>
          </>
        ) : (
          <>
            {sendsBy && (
              <IconButton label="Send now" title={SENDING[sendsBy]} isDisabled={isSending} onClick={sendNow}>
                <Send />
              </IconButton>
            )}
            {canChange && (
              <>
                <IconButton label="Change" className="max-sm:hidden" onClick={edit}>
                  <Pencil />
                </IconButton>
                <IconButton label="Withdraw" onClick={withdraw}>
                  <X />
                </IconButton>
              </>
            )}
          </>
        )}
      </div>
      {prompt.held && (
        <p className="px-2 pb-1 text-muted-foreground text-xs [overflow-wrap:anywhere]">
          Held. {prompt.reason} Send it now to try it again, or withdraw it.
        </p>
      )}
      <Problem text={problem} className="px-2 pb-1 [overflow-wrap:anywhere]" />
    </li>
  );
}

/** On a phone there is no room for a button beside it: the text itself is one. */
function PromptText({ text, onChange }: { text: string; onChange: (() => void) | undefined }) {
  const look = "line-clamp-2 min-w-0 flex-1 py-1 text-left leading-5 [overflow-wrap:anywhere]";
  const shown = clip(text) || <span className="text-muted-foreground">Files only</span>;
  if (!onChange)
    return (
      <p data-text className={look}>
        {shown}
      </p>
    );
  return (
    <button
      type="button"
      data-text
      title="Change"
      onClick={onChange}
      className={`${look} rounded hover:bg-hover touch:min-h-10`}
    >
      {shown}
    </button>
  );
}

interface IconButtonProps {
  label: string;
  className?: string;
  title?: string;
  isDisabled?: boolean;
  /** The field stays as it is until it is pressed: leaving it would end the change. */
  keepsFocus?: boolean;
  onClick: () => void;
  children: ReactNode;
}

function IconButton({ label, title, isDisabled, keepsFocus, className, onClick, children }: IconButtonProps) {
  return (
    <button
      type="button"
      aria-label={label}
      title={title ?? label}
      disabled={isDisabled}
      onMouseDown={keepsFocus ? (event) => event.preventDefault() : undefined}
      onClick={onClick}
      className={classNames(
        "grid size-7.5 shrink-0 place-items-center rounded-md text-soft hover:bg-hover hover:text-foreground disabled:opacity-45 touch:size-10 [&_svg]:size-3.5",
        className,
      )}
    >
      {children}
    </button>
  );
}
