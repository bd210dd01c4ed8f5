/** Text in fixed width with a label, cut in height, to be copied. */
import { Check, Copy } from "lucide-react";
import { useState } from "react";

interface CodePanelProps {
  label: string;
  text: string;
  note?: string;
  tone?: "plain" | "danger";
}

/** Longer text makes the page slow and helps nobody. */
const MOST_CHARACTERS = 40_000;

export function CodePanel({ label, text, note, tone = "plain" }: CodePanelProps) {
  const [isCopied, setIsCopied] = useState(false);
  const isCut = text.length > MOST_CHARACTERS;
  function copy() {
    navigator.clipboard?.writeText(text).then(
      () => {
        setIsCopied(true);
        setTimeout(() => setIsCopied(false), 1500);
      },
      () => {},
    );
  }
  return (
    <div className="group/panel relative">
      <div className="mb-1 flex h-4 items-center gap-2 text-2xs text-muted-foreground">
        <span className="font-medium">{label}</span>
        {note && <span>{note}</span>}
        <button
          type="button"
          onClick={copy}
          aria-label={`Copy ${label.toLowerCase()}`}
          className="ml-auto rounded p-0.5 opacity-0 hover:text-foreground focus-visible:opacity-100 group-hover/panel:opacity-100"
        >
          {isCopied ? <Check className="size-3" /> : <Copy className="size-3" />}
        </button>
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled with the keyboard
        tabIndex={0}
        className={`max-h-72 overflow-auto whitespace-pre-wrap rounded-md px-2.5 py-2 font-mono text-[0.72rem] leading-[1.15rem] [overflow-wrap:anywhere] ${
          tone === "danger" ? "bg-danger-soft text-danger-text" : "bg-muted"
        }`}
      >
        {isCut
          ? `${text.slice(0, MOST_CHARACTERS)}\n… ${text.length - MOST_CHARACTERS} more characters`
          : text}
      </pre>
    </div>
  );
}
