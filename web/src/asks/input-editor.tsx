/** The input of a call, to be changed before it is allowed. */
import { type FormEvent, type KeyboardEvent, useState } from "react";
import { Button } from "../ui/button.tsx";
import { clip } from "../ui/format.ts";
import { changedInput, type InputField, inputFields } from "./changed-input.ts";

interface InputEditorProps {
  input: unknown;
  isLocked: boolean;
  onAllow: (input: unknown) => void;
  onCancel: () => void;
}

const MAX_ROWS = 14;

export function InputEditor({ input, isLocked, onAllow, onCancel }: InputEditorProps) {
  const [fields, setFields] = useState(() => inputFields(input));
  const [problem, setProblem] = useState<string>();

  function submit(event?: FormEvent) {
    event?.preventDefault();
    const changed = changedInput(input, fields);
    if ("problem" in changed) return setProblem(changed.problem);
    setProblem(undefined);
    if (!isLocked) onAllow(changed.input);
  }

  function onKeyDown(event: KeyboardEvent<HTMLElement>) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      submit();
    } else if (event.key === "Escape") {
      event.preventDefault();
      event.currentTarget.closest<HTMLElement>("[data-ask]")?.focus();
      onCancel();
    }
  }

  return (
    <form onSubmit={submit} className="space-y-2.5">
      {fields.map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields never move
        <label key={index} className="block">
          <span className={fields.length === 1 ? "sr-only" : "mb-1 block text-muted-foreground text-xs"}>
            {labelOf(field)}
          </span>
          <textarea
            // biome-ignore lint/a11y/noAutofocus: it appears because the person asked for it
            autoFocus={index === 0}
            spellCheck={false}
            rows={Math.min(MAX_ROWS, field.text.split("\n", MAX_ROWS).length + (fields.length === 1 ? 1 : 0))}
            value={field.text}
            onKeyDown={onKeyDown}
            onChange={({ target }) =>
              setFields(fields.map((other) => (other === field ? { ...field, text: target.value } : other)))
            }
            className="block w-full resize-y rounded-md border border-input bg-background px-2.5 py-1.5 font-mono text-[0.78rem] leading-5 touch:text-base"
          />
        </label>
      ))}
      {problem && (
        <p role="alert" className="text-danger-text text-xs">
          {problem}
        </p>
      )}
      <div className="flex gap-2 touch:[&_button]:h-11">
        <Button type="submit" look="primary" disabled={isLocked}>
          Allow this instead
        </Button>
        <Button look="ghost" disabled={isLocked} onClick={onCancel}>
          Back
        </Button>
      </div>
    </form>
  );
}

function labelOf({ name }: InputField): string {
  if (name === undefined) return "Input";
  return name === "cmd" ? "command" : clip(name, 80);
}
