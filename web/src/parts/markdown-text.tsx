/**
 * Markdown as the page shows it. Agents may quote anything, so HTML is shown as text, links only lead to web and mail
 * addresses, and pictures are shown only when they are carried along. The page's policy forbids the rest a second time.
 * `markdown.tsx` loads it when it is needed.
 */
import { ImageOff } from "lucide-react";
import { memo, useMemo } from "react";
import { type Components, Streamdown, type UrlTransform } from "streamdown";
import { CopyButton } from "../ui/copy-button.tsx";
import { ErrorBoundary } from "../ui/error-boundary.tsx";
import { CodeBlock } from "./code-block.tsx";
import { markdownBlocks } from "./markdown-blocks.ts";
import { fitsMarkdown } from "./markdown-limits.ts";
import { MarkdownTable } from "./markdown-table.tsx";
import { HiddenText, PlainText } from "./plain-text.tsx";
import { safeImage, safeLink } from "./safe-url.ts";
import type { TextPiece } from "./text-pieces.ts";
import { useTextPieces } from "./use-text-pieces.ts";

const transformUrl: UrlTransform = (url, key) => (key === "src" ? safeImage(url) : safeLink(url)) ?? null;

const COMPONENTS: Components = {
  a({ href, children }) {
    if (typeof href !== "string") return <span>{children}</span>;
    return (
      <a
        href={href}
        target="_blank"
        rel="noopener noreferrer"
        className="text-primary-text underline decoration-primary/35 underline-offset-2 hover:decoration-primary"
      >
        {children}
      </a>
    );
  },
  // Plain elements, styled by the page: those of streamdown need more space.
  h1: "h1",
  h2: "h2",
  h3: "h3",
  h4: "h4",
  h5: "h5",
  h6: "h6",
  ul: "ul",
  ol: "ol",
  li: "li",
  blockquote: "blockquote",
  hr: "hr",
  strong: "strong",
  table: ({ children }) => <MarkdownTable>{children}</MarkdownTable>,
  thead: "thead",
  tbody: "tbody",
  tr: "tr",
  th: ({ children, style }) => <th style={style}>{children}</th>,
  td: ({ children, style }) => <td style={style}>{children}</td>,
  // Both are needed: without one of its own for code in a line, streamdown takes this one for it as well.
  inlineCode: ({ children }) => <code>{children}</code>,
  code({ className, children }) {
    const code = typeof children === "string" ? children : "";
    return (
      <CodeBlock
        code={code.replace(/\n$/, "")}
        language={/language-(\S+)/.exec(className ?? "")?.[1] ?? ""}
        isIncomplete={!code.endsWith("\n")}
      />
    );
  },
  img({ src, alt }) {
    if (typeof src === "string" && src) {
      return <img src={src} alt={alt ?? ""} className="max-h-96 rounded-md border" />;
    }
    return (
      <span className="inline-flex items-center gap-1 rounded border bg-muted px-1.5 text-muted-foreground text-xs">
        <ImageOff className="size-3" /> {alt || "picture"} (not loaded from elsewhere)
      </span>
    );
  },
};

/** Ours stand in their places. */
const CONTROLS = false;

export interface MarkdownProps {
  text: string;
  isStreaming?: boolean;
}

/** Pieces shown at first, and more with each press. */
const STEP = 4;

/** Long text is rendered in pieces; a piece that a parser would choke on is shown as plain text. */
export const MarkdownText = memo(function MarkdownText({ text, isStreaming = false }: MarkdownProps) {
  const { head, tail, hidden, showMore } = useTextPieces(text, STEP);
  const last = tail.at(-1) ?? head.at(-1);
  const show = (piece: TextPiece) => (
    <MarkdownPiece key={piece.start} text={piece.markdown} isStreaming={isStreaming && piece === last} />
  );
  if (head.length === 1 && tail.length === 0) return show(head[0]!);
  return (
    <div className="space-y-[0.7em]">
      {head.map(show)}
      {hidden > 0 && <HiddenText hidden={hidden} onMore={showMore} />}
      {tail.map(show)}
    </div>
  );
});

const MarkdownPiece = memo(function MarkdownPiece({ text, isStreaming }: Required<MarkdownProps>) {
  const fits = useMemo(() => fitsMarkdown(text), [text]);
  if (!fits) return <PlainPiece text={text} />;
  return (
    <ErrorBoundary name="This text" text={() => text} resetOn={text}>
      <Streamdown
        className="prose-agent [&_li:has(>input,>p>input)]:list-none"
        mode={isStreaming ? "streaming" : "static"}
        parseMarkdownIntoBlocksFn={markdownBlocks}
        components={COMPONENTS}
        rehypePlugins={[]}
        urlTransform={transformUrl}
        controls={CONTROLS}
        lineNumbers={false}
        isAnimating={false}
        linkSafety={{ enabled: false }}
      >
        {text}
      </Streamdown>
    </ErrorBoundary>
  );
});

function PlainPiece({ text }: { text: string }) {
  return (
    <div data-plain className="group/plain relative">
      <p className="flex items-center gap-2 text-2xs text-muted-foreground">
        Shown as plain text: too much is nested or marked in it.
        <CopyButton name="Plain text" text={() => text} />
      </p>
      <PlainText text={text} />
    </div>
  );
}
