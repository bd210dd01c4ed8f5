/** A text field for a prompt that offers commands of the agent and names of files while one is being typed. */
import { type ChangeEvent, type RefObject, type SyntheticEvent, useRef, useState } from "react";
import { COMPLETION_MENU, completionOption } from "./completion-menu.tsx";
import type { AgentCommand } from "./matching-commands.ts";
import { type CompletionState, useCompletion } from "./use-completion.ts";

type TextArea = HTMLTextAreaElement;

export interface PromptField {
  area: RefObject<TextArea | null>;
  menu: CompletionState;
  /** Puts a text into the field, and the caret to where the person goes on. */
  write: (text: string, caret: number) => void;
  /** For the `textarea`. */
  props: {
    value: string;
    "aria-controls": string | undefined;
    "aria-activedescendant": string | undefined;
    onChange: (event: ChangeEvent<TextArea>) => void;
    onSelect: (event: SyntheticEvent<TextArea>) => void;
    onBlur: () => void;
  };
}

interface UsePromptField {
  /** In whose directory files are looked for; undefined where they cannot be. */
  session: string | undefined;
  commands: readonly AgentCommand[] | undefined;
  text: string;
  setText: (text: string) => void;
}

export function usePromptField({ session, commands, text, setText }: UsePromptField): PromptField {
  const area = useRef<TextArea>(null);
  const [caret, setCaret] = useState<number>();

  function write(next: string, at: number): void {
    setText(next);
    setCaret(at);
    // The field has it after the next rendering.
    requestAnimationFrame(() => {
      area.current?.focus();
      area.current?.setSelectionRange(at, at);
    });
  }

  const menu = useCompletion({ session, text, caret, known: commands, write });
  return {
    area,
    menu,
    write,
    props: {
      value: text,
      "aria-controls": menu.isOpen ? COMPLETION_MENU : undefined,
      "aria-activedescendant": menu.isOpen ? completionOption(menu.chosen) : undefined,
      onChange({ target: { value, selectionStart } }) {
        setText(value);
        setCaret(selectionStart);
      },
      onSelect({ currentTarget: { selectionStart, selectionEnd } }) {
        setCaret(selectionStart === selectionEnd ? selectionStart : undefined);
      },
      onBlur: () => setCaret(undefined),
    },
  };
}
