/** A block of code in a text: its language, its colours, and a button to copy it. */
import { useConversation } from "../chat/conversation-context.ts";
import { CopyButton } from "../ui/copy-button.tsx";
import { clip } from "../ui/format.ts";
import { languageLoader } from "./code-languages.ts";
import { CodeLine } from "./code-line.tsx";
import { useHighlighted } from "./use-highlighted.ts";

interface CodeBlockProps {
  code: string;
  language: string;
  /** Whether more of it may come. */
  isIncomplete: boolean;
}

export function CodeBlock({ code, language, isIncomplete }: CodeBlockProps) {
  const { isLive } = useConversation();
  const isWritten = isLive && isIncomplete;
  const lines = useHighlighted(code, isWritten ? undefined : languageLoader(language)?.name);
  return (
    <div data-code={clip(language, 40)} className="group/code overflow-hidden rounded-md border bg-muted">
      <div className="flex h-7 items-center gap-2 border-b pr-1 pl-3 text-2xs text-muted-foreground">
        <span className="min-w-0 truncate">{clip(language, 40) || "text"}</span>
        <CopyButton name="Code" text={() => code} className="ml-auto p-1.5" />
      </div>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it can be scrolled with the keyboard
        tabIndex={0}
        className="max-h-[28rem] overflow-auto px-3 py-2 font-mono text-[0.78rem] leading-[1.3rem]"
      >
        <code dir="ltr">
          {lines
            ? lines.map((tokens, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: lines have no other identity
                <span key={index} className="block min-h-[1.3rem]">
                  <CodeLine text={tokens.map(({ text }) => text).join("")} tokens={tokens} />
                </span>
              ))
            : code}
        </code>
      </pre>
    </div>
  );
}
