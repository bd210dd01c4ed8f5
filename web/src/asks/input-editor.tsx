/** The input of a call, to be changed before it is allowed. */
import { type FormEvent, type KeyboardEvent, useId, useState } from "react";
import { Button } from "../ui/button.tsx";
import { clip } from "../ui/format.ts";
import { Keys } from "../ui/keys.tsx";
import { Problem } from "../ui/problem.tsx";
import { useKept } from "../ui/use-kept.ts";
import { changedInput, type InputField, inputFields } from "./changed-input.ts";

interface InputEditorProps {
  /** Under which what was changed is kept. */
  name: string;
  input: Readonly<Record<string, unknown>>;
  isLocked: boolean;
  takesFocus: boolean;
  /** Undefined where nothing was changed. */
  onAllow: (input: Record<string, unknown> | undefined) => void;
  onCancel: () => void;
}

const MAX_ROWS = 14;

export default function InputEditor({
  name,
  input,
  isLocked,
  takesFocus,
  onAllow,
  onCancel,
}: InputEditorProps) {
  const [changed, setChanged] = useKept<readonly InputField[] | undefined>(name, () => undefined);
  const fields = changed ?? inputFields(input);
  const [problem, setProblem] = useState<string>();
  const id = useId();

  function submit(event?: FormEvent) {
    event?.preventDefault();
    const allowed = changedInput(input, fields);
    if ("problem" in allowed) return setProblem(allowed.problem);
    setProblem(undefined);
    const isSame = JSON.stringify(allowed.input) === JSON.stringify(input);
    if (!isLocked) onAllow(isSame ? undefined : allowed.input);
  }

  function cancel(form: Element) {
    form.closest<HTMLElement>("[data-ask]")?.focus();
    setChanged(undefined);
    onCancel();
  }

  function onKeyDown(event: KeyboardEvent<HTMLFormElement>) {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Enter" && (event.metaKey || event.ctrlKey)) {
      event.preventDefault();
      submit();
    } else if (event.key === "Escape") {
      event.preventDefault();
      cancel(event.currentTarget);
    }
  }

  return (
    <form onSubmit={submit} onKeyDown={onKeyDown} data-own-escape="" className="space-y-2.5">
      {fields.map((field, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: fields never move
        <div key={index}>
          <label htmlFor={`${id}-${index}`} className="mb-1 block font-medium text-2xs text-muted-foreground">
            {labelOf(field)}
          </label>
          <textarea
            id={`${id}-${index}`}
            // biome-ignore lint/a11y/noAutofocus: it appears because the person asked for it
            autoFocus={takesFocus && index === focusedField(fields)}
            spellCheck={false}
            autoCapitalize="off"
            aria-invalid={problem !== undefined}
            aria-describedby={problem === undefined ? undefined : `${id}-problem`}
            rows={Math.min(MAX_ROWS, field.text.split("\n", MAX_ROWS).length)}
            value={field.text}
            onChange={({ target }) =>
              setChanged(fields.map((other) => (other === field ? { ...field, text: target.value } : other)))
            }
            className="block max-h-80 w-full resize-y [field-sizing:content] rounded-md border border-input bg-background px-2.5 py-1.5 font-mono text-[0.78rem] leading-5 touch:min-h-11 touch:text-base"
          />
        </div>
      ))}
      <Problem text={problem} id={`${id}-problem`} />
      <div className="flex flex-wrap items-center gap-2 touch:[&_button]:h-11">
        <Button type="submit" look="primary" disabled={isLocked}>
          Allow
        </Button>
        <Button look="ghost" disabled={isLocked} onClick={({ currentTarget }) => cancel(currentTarget)}>
          Cancel
        </Button>
        <span
          aria-hidden="true"
          className="ml-auto flex items-center gap-1.5 text-2xs text-muted-foreground pointer-coarse:hidden"
        >
          <Keys keys="mod+Enter" /> allow <Keys keys="Escape" /> cancel
        </span>
      </div>
    </form>
  );
}

/** The text that a person would change: the one with lines, else the first. */
function focusedField(fields: readonly InputField[]): number {
  const long = fields.findIndex(({ text }) => text.includes("\n"));
  return Math.max(0, long);
}

const NAMES: Readonly<Record<string, string>> = {
  command: "Command",
  cmd: "Command",
  path: "File",
  file_path: "File",
  filePath: "File",
  content: "Text",
  append: "Add",
  old_string: "Replace",
  oldString: "Replace",
  new_string: "With",
  newString: "With",
};

function labelOf({ name }: InputField): string {
  if (name === undefined) return "Input, as JSON";
  return Object.hasOwn(NAMES, name) ? NAMES[name]! : clip(name, 80);
}
