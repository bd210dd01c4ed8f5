/** The title of a session as a field, in its place: Enter and leaving it keep what was written, Escape does not. */
import { type KeyboardEvent, useRef, useState } from "react";
import { classNames } from "../ui/class-names.ts";
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

  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter") end(true);
    else if (event.key === "Escape") end(false);
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
