/** Monospaced text with a label, limited height and a copy button. */
import { CopyButton } from "../ui/copy-button.tsx";
import { PlainText } from "./plain-text.tsx";

interface CodePanelProps {
  label: string;
  text: string;
  note?: string;
  tone?: "plain" | "danger";
}

export function CodePanel({ label, text, note, tone = "plain" }: CodePanelProps) {
  return (
    <div className="group/panel relative">
      <div className="mb-1 flex h-4 touch:h-8 items-center gap-2 text-2xs text-muted-foreground">
        <span className="font-medium">{label}</span>
        {note && <span>{note}</span>}
        <CopyButton
          name={label}
          text={() => text}
          className="ml-auto pointer-fine:opacity-0 focus-visible:opacity-100 group-hover/panel:opacity-100"
        />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled with the keyboard
        tabIndex={0}
        className={`max-h-72 overflow-auto whitespace-pre-wrap rounded-md px-2.5 py-2 font-mono text-[0.72rem] leading-[1.15rem] [overflow-wrap:anywhere] ${
          tone === "danger" ? "bg-danger-soft text-danger-text" : "bg-muted"
        }`}
      >
        <PlainText text={text} />
      </pre>
    </div>
  );
}
