/** A command and what it put out, as in a terminal. */
import { memo, useMemo, useState } from "react";
import { MoreButton } from "../ui/bounded-list.tsx";
import { CopyButton } from "../ui/copy-button.tsx";
import { lastLines } from "./last-lines.ts";
import { PlainText, TextPieces } from "./plain-text.tsx";
import { terminalSpans } from "./terminal-spans.ts";
import { VisibleText } from "./visible-text.tsx";

interface TerminalPanelProps {
  command?: string;
  outputs: readonly { label: string; text: string }[];
  note?: string;
  /** Only so many lines at the end are shown at first. */
  lastLines?: number;
}

/** Pieces of the output shown at first, and more with each press. */
const STEP = 3;

export default function TerminalPanel({ command, outputs, note, lastLines: most }: TerminalPanelProps) {
  const [isWhole, setIsWhole] = useState(most === undefined);
  const shown = outputs.map((output) => ({
    ...output,
    ...(isWhole || most === undefined ? { hidden: 0 } : lastLines(output.text, most)),
  }));
  const hidden = shown.reduce((sum, output) => sum + output.hidden, 0);
  return (
    <div className="group/panel relative">
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled with the keyboard
        tabIndex={0}
        data-part="terminal"
        className="max-h-80 overflow-auto whitespace-pre-wrap rounded-md bg-muted px-3 py-2 font-mono text-[0.72rem] leading-[1.15rem] [overflow-wrap:anywhere]"
      >
        {command !== undefined && (
          <code className="block font-medium">
            <span aria-hidden="true" className="mr-2 select-none text-muted-foreground">
              $
            </span>
            <PlainText text={command} />
          </code>
        )}
        {hidden > 0 && (
          <MoreButton onClick={() => setIsWhole(true)} className="mb-1">
            Show {hidden.toLocaleString()} earlier lines
          </MoreButton>
        )}
        {shown.map(({ label, text }, index) => (
          <samp
            // biome-ignore lint/suspicious/noArrayIndexKey: they have no other identity
            key={index}
            className="mt-1 block text-soft first:mt-0"
          >
            {label !== "Output" && <span className="block text-muted-foreground">{label}:</span>}
            <TextPieces text={text} step={STEP}>
              {(piece) => <TerminalPiece key={piece.start} text={piece.text} />}
            </TextPieces>
          </samp>
        ))}
        {note && <span className="mt-1 block text-muted-foreground italic">{note}</span>}
      </pre>
      <CopyButton
        name={command === undefined ? "Output" : "Command"}
        text={() => command ?? outputs.map(({ text }) => text).join("\n")}
        className="absolute top-1.5 right-1.5 bg-muted text-muted-foreground touch:top-px touch:right-px pointer-fine:opacity-0 focus-visible:opacity-100 group-hover/panel:opacity-100"
      />
    </div>
  );
}

const TerminalPiece = memo(function TerminalPiece({ text }: { text: string }) {
  const spans = useMemo(() => terminalSpans(text), [text]);
  return (
    <span className="[unicode-bidi:isolate]">
      {spans.map((span, index) =>
        span.className === "" ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no other identity
          <VisibleText key={index} text={span.text} />
        ) : (
          // biome-ignore lint/suspicious/noArrayIndexKey: they have no other identity
          <span key={index} className={span.className}>
            <VisibleText text={span.text} />
          </span>
        ),
      )}
    </span>
  );
});
