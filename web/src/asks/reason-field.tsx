/** A word to the agent along with an answer. Enter sends it, Escape takes it away. */
import type { KeyboardEvent } from "react";

interface ReasonFieldProps {
  label: string;
  placeholder: string;
  value: string;
  takesFocus: boolean;
  onChange: (value: string) => void;
  onSubmit: () => void;
  onCancel: () => void;
}

export function ReasonField(props: ReasonFieldProps) {
  const { label, placeholder, value, takesFocus, onChange, onSubmit, onCancel } = props;
  function onKeyDown(event: KeyboardEvent) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && !event.shiftKey) {
      event.preventDefault();
      onSubmit();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.currentTarget.closest<HTMLElement>("[data-ask]")?.focus();
      onCancel();
    }
  }
  return (
    <textarea
      // biome-ignore lint/a11y/noAutofocus: it appears because the person asked for it
      autoFocus={takesFocus}
      data-own-escape=""
      aria-label={label}
      placeholder={placeholder}
      rows={2}
      maxLength={100_000}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={onKeyDown}
      className="mb-2.5 block w-full resize-y rounded-md border border-input bg-background px-2.5 py-1.5 text-[0.8125rem] touch:text-base"
    />
  );
}
