/**
 * The Markdown of agents. They may quote anything, so HTML is shown as text, links only lead to web and mail
 * addresses, and pictures are shown only when they are carried along. The page's policy forbids the rest a second time.
 */
import { ImageOff } from "lucide-react";
import { memo } from "react";
import { type Components, Streamdown, type UrlTransform } from "streamdown";
import { safeImage, safeLink } from "./safe-url.ts";

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
  // Plain elements, styled by the page: the ones of streamdown are made for pages with more room.
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

const CONTROLS = {
  code: { copy: true, download: false },
  table: { copy: true, download: false, fullscreen: false },
};

interface MarkdownProps {
  text: string;
  isStreaming?: boolean;
}

export const Markdown = memo(function Markdown({ text, isStreaming = false }: MarkdownProps) {
  return (
    <Streamdown
      className="prose-agent"
      mode={isStreaming ? "streaming" : "static"}
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
  );
});
