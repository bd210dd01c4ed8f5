import { Fragment } from "react";
import { CodeLine } from "../parts/code-line.tsx";
import { PlainText } from "../parts/plain-text.tsx";
import { useHighlighted } from "../parts/use-highlighted.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { formatCount } from "../ui/format.ts";

interface SourceTextProps {
  /** What it is, for people and for the button that copies it. */
  label: string;
  note?: string;
  text: string;
  /** As it is copied; the text itself when absent. */
  original?: string;
  leftOut?: number;
}

/** A text as a machine wrote it, with a line above that says what it is. */
export function SourceText({ label, note, text, original = text, leftOut }: SourceTextProps) {
  const lines = useHighlighted(text, "json");
  return (
    <div>
      <div className="mb-1 flex min-h-5 items-center gap-2 text-2xs text-muted-foreground">
        <span className="min-w-0 truncate font-medium font-mono text-soft">{label}</span>
        {note && <span className="shrink-0 whitespace-nowrap tabular-nums">{note}</span>}
        <CopyButton name={label} text={() => original} className="ml-auto" />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled with the keyboard
        tabIndex={0}
        className="overflow-x-auto whitespace-pre-wrap rounded-md bg-muted px-2.5 py-2 font-mono text-[0.72rem] leading-[1.15rem] [overflow-wrap:anywhere] max-@4xl:max-h-80 max-@4xl:overflow-y-auto"
      >
        {lines ? (
          text.split("\n").map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other name
            <Fragment key={index}>
              <CodeLine text={line} tokens={lines[index]} />
              {"\n"}
            </Fragment>
          ))
        ) : (
          <PlainText text={text} />
        )}
      </pre>
      {leftOut !== undefined && (
        <p className="mt-1 text-2xs text-muted-foreground">
          {formatCount(leftOut)} characters more are in the recording.
        </p>
      )}
    </div>
  );
}
