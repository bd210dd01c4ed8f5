/** The title of a session as a field, in its place: Enter and leaving it keep what was written, Escape does not. */
import { type KeyboardEvent, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { classNames } from "../ui/class-names.ts";
import { focusFirst } from "../ui/focus-first.ts";
import { useSessionActions } from "./use-session-actions.tsx";

const MAX_LENGTH = 500;

interface RenameFieldProps {
  session: string;
  title: string;
  onDone: () => void;
  className?: string;
}

export function RenameField({ session, title, onDone, className }: RenameFieldProps) {
  const { rename } = useSessionActions();
  const [text, setText] = useState(title);
  const isOver = useRef(false);

  function end(isKept: boolean) {
    // Leaving the field is told once more when it goes.
    if (isOver.current) return;
    isOver.current = true;
    const next = text.trim();
    if (isKept && next !== "" && next !== title) void rename(session, next);
    onDone();
  }

  /** The row or the title that comes back in its place has the focus. */
  function endByKey(isKept: boolean, around: HTMLElement | null) {
    flushSync(() => end(isKept));
    focusFirst(around?.querySelector("a, h1 button"));
  }

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    const around = event.currentTarget.parentElement;
    if (event.key === "Enter") endByKey(true, around);
    else if (event.key === "Escape") endByKey(false, around);
    // No key of the page or of the list is meant.
    event.stopPropagation();
  }

  return (
    <input
      aria-label="Title"
      data-own-escape
      autoComplete="off"
      maxLength={MAX_LENGTH}
      value={text}
      ref={focusAll}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => end(true)}
      onKeyDown={onKeyDown}
      className={classNames(
        "min-w-0 rounded-md border border-input bg-background px-1.5 font-medium touch:text-base",
        className,
      )}
    />
  );
}

function focusAll(input: HTMLInputElement | null): void {
  input?.focus();
  input?.select();
}
