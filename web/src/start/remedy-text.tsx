/** What helps, in the daemon's words: what is to be typed stands out, and can be copied. */
import { CopyButton } from "../ui/copy-button.tsx";

/** A command between backticks, or the name of a variable. */
const TYPED = /(`[^`]+`|\b[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+\b)/;

export function RemedyText({ text }: { text: string }) {
  return text.split(TYPED).map((piece, index) => {
    if (index % 2 === 0) return piece;
    const typed = piece.replaceAll("`", "");
    return (
      <span
        // biome-ignore lint/suspicious/noArrayIndexKey: the text does not change under the keys
        key={index}
        className="mx-0.5 inline-flex max-w-full items-center gap-1 rounded border bg-muted pl-1.5 align-middle font-mono text-[0.9em] text-foreground"
      >
        <code className="min-w-0 [overflow-wrap:anywhere]">{typed}</code>
        <CopyButton name={typed} text={() => typed} className="p-1 text-muted-foreground" />
      </span>
    );
  });
}
