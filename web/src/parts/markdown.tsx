/** The Markdown of agents. What reads it is large and comes when it is first needed; until then the text is plain. */
import { memo } from "react";
import { lazyPart } from "../ui/lazy-part.tsx";
import type { MarkdownProps } from "./markdown-text.tsx";
import { PlainText } from "./plain-text.tsx";

/** Begins to load it; done once, however often it is called. */
export function loadMarkdown(): Promise<{ default: (props: MarkdownProps) => React.ReactNode }> {
  return import("./markdown-text.tsx").then(
    ({ MarkdownText }) => ({ default: MarkdownText }),
    // A page that was open while the daemon became another version.
    () => ({ default: PlainText }),
  );
}

export const Markdown = memo(lazyPart(loadMarkdown, PlainMarkdown, PlainMarkdown));

function PlainMarkdown({ text }: MarkdownProps) {
  return (
    <div className="prose-agent">
      <PlainText text={text} />
    </div>
  );
}
