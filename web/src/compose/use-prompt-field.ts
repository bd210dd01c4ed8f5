/** A text field for a prompt that offers commands of the agent and names of files while one is being typed. */
import {
  type ChangeEvent,
  type RefObject,
  type SyntheticEvent,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import type { AgentCommand } from "./matching-commands.ts";
import { COMPLETION_MENU, completionOption } from "./prompt-completions.tsx";
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
  const [written, setWritten] = useState<{ at: number }>();

  function write(next: string, at: number): void {
    setText(next);
    setCaret(at);
    setWritten({ at });
  }
  // As soon as the field has the text: whoever types on would else find their letters before it.
  useLayoutEffect(() => {
    if (!written) return;
    area.current?.focus();
    area.current?.setSelectionRange(written.at, written.at);
  }, [written]);

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
