/** A piece of a message with the words that were searched for. */
import type { SearchResult } from "../api/types.ts";

export function SnippetText({ pieces }: { pieces: SearchResult["snippet"] }) {
  return (
    <bdi>
      {pieces.map(({ text, match }, index) =>
        match ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces have no other name
          <mark key={index} className="rounded-sm bg-waiting/25 text-foreground">
            {text}
          </mark>
        ) : (
          plainText(text)
        ),
      )}
    </bdi>
  );
}

/** Marks of Markdown say nothing on one line. */
function plainText(text: string): string {
  return text.replace(/\*{1,3}|`{1,3}|^#{1,6} /gm, "");
}
