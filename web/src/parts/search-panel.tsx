/** What a search found. */
import { useConversation } from "../chat/conversation-context.ts";
import { BoundedList } from "../ui/bounded-list.tsx";
import { clip } from "../ui/format.ts";
import { markedText } from "./marked-text.ts";
import { withoutDirectory } from "./relative-path.ts";
import type { FoundPlace } from "./search-results.ts";
import { VisibleText } from "./visible-text.tsx";

interface SearchPanelProps {
  places: readonly FoundPlace[];
  /** What was looked for, to be marked. */
  pattern: string | undefined;
}

export default function SearchPanel({ places, pattern }: SearchPanelProps) {
  const { cwd } = useConversation();
  return (
    <ul
      aria-label="Found"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled with the keyboard
      tabIndex={0}
      className="max-h-72 space-y-1 overflow-auto rounded-md bg-muted px-3 py-2 font-mono text-[0.72rem] leading-[1.15rem]"
    >
      <BoundedList items={places} step={50} name="files" wrap={(button) => <li>{button}</li>}>
        {({ path, lines }) => (
          <li key={path} className="[overflow-wrap:anywhere]">
            <span className="font-medium">{clip(withoutDirectory(path, cwd))}</span>
            {lines.length > 0 && (
              <ol className="text-soft">
                <BoundedList items={lines} step={20} name="lines" wrap={(button) => <li>{button}</li>}>
                  {({ number, text }, index) => (
                    <li key={index} className="flex gap-3">
                      <span className="w-8 shrink-0 select-none text-right text-muted-foreground tabular-nums">
                        {number}
                      </span>
                      <span className="min-w-0 whitespace-pre-wrap [unicode-bidi:isolate]">
                        <Marked text={clip(text)} pattern={pattern} />
                      </span>
                    </li>
                  )}
                </BoundedList>
              </ol>
            )}
          </li>
        )}
      </BoundedList>
    </ul>
  );
}

function Marked({ text, pattern }: { text: string; pattern: string | undefined }) {
  return markedText(text, pattern).map((piece, index) =>
    piece.isMatch ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
      <mark key={index} className="rounded-sm bg-waiting/25 text-foreground">
        <VisibleText text={piece.text} />
      </mark>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
      <VisibleText key={index} text={piece.text} />
    ),
  );
}
