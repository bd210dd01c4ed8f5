/** A word to the agent along with an answer. Enter sends it, Escape takes it away. */
import { type KeyboardEvent, useRef } from "react";
import { useKept } from "../ui/use-kept.ts";
import type { AnswersProps } from "./answers-props.ts";
import { keptName } from "./kept-name.ts";

export interface Reason {
  /** Undefined while none is written. */
  text: string | undefined;
  setText: (text: string | undefined) => void;
  begin: () => void;
  /** Whether it was begun here. One that is there again, since it was begun elsewhere, does not take the focus. */
  takesFocus: boolean;
}

export function useReason({ session, ask }: Pick<AnswersProps, "session" | "ask">): Reason {
  const [text, setText] = useKept<string | undefined>(
    `${keptName(session, ask.ask)} reason`,
    () => undefined,
  );
  const isBegunHere = useRef(false);
  function begin() {
    isBegunHere.current = true;
    setText(text ?? "");
  }
  return { text, setText, begin, takesFocus: isBegunHere.current };
}

interface ReasonFieldProps {
  label: string;
  placeholder: string;
  reason: Reason;
  onSubmit: () => void;
}

export function ReasonField({ label, placeholder, reason, onSubmit }: ReasonFieldProps) {
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      onSubmit();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.currentTarget.closest<HTMLElement>("[data-ask]")?.focus();
      reason.setText(undefined);
    }
  }
  return (
    <textarea
      // biome-ignore lint/a11y/noAutofocus: it appears because the person asked for it
      autoFocus={reason.takesFocus}
      data-own-escape=""
      aria-label={label}
      placeholder={placeholder}
      rows={2}
      maxLength={100_000}
      value={reason.text}
      onChange={(event) => reason.setText(event.target.value)}
      onKeyDown={onKeyDown}
      className="mb-2.5 block w-full resize-y rounded-md border border-input bg-background px-2.5 py-1.5 text-[0.8125rem] touch:text-base"
    />
  );
}
