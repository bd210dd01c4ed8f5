/** Prompts, files and results as content blocks. Pure. */
import type { PromptPart } from "../../core/prompt-part.ts";
import type { UnifiedContent } from "../unified-message.ts";

/** What a block cannot say of a file or a context, and which block it is about. */
export type Attachment = Partial<PromptPart> & { block?: number };

const BASE64_URL = /^data:([^;,]+);base64,/;

/** An image whose bytes are in the URL. */
export function imageBlock(url: string): UnifiedContent | undefined {
  const head = BASE64_URL.exec(url.slice(0, 256));
  if (!head?.[1]?.startsWith("image/")) return undefined;
  const source = { type: "base64", media_type: head[1], data: url.slice(head[0].length) } as const;
  return { type: "image", source };
}

/**
 * Texts, images and code are blocks. Everything else of files and contexts is an attachment, so that nothing is lost and
 * no bytes are sent twice.
 */
export function promptBlocks(parts: readonly PromptPart[]): {
  content: UnifiedContent[];
  attachments?: Attachment[];
} {
  const content: UnifiedContent[] = [];
  const attachments: Attachment[] = [];
  for (const part of parts) {
    if (part.type === "text") {
      content.push({ type: "text", text: part.text });
      continue;
    }
    const block = part.type === "file" ? imageBlock(part.url) : codeBlock(part);
    if (!block) {
      attachments.push(part);
      continue;
    }
    const { url: _url, content: _content, ...rest } = part as Record<string, unknown>;
    attachments.push({ ...rest, block: content.length } as Attachment);
    content.push(block);
  }
  return { content, ...(attachments.length > 0 && { attachments }) };
}

function codeBlock({
  language,
  content,
}: Extract<PromptPart, { type: "context" }>): UnifiedContent | undefined {
  return content === undefined ? undefined : { type: "code", language: language ?? "", code: content };
}

/** Any value as the text of a result. */
export function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** The input of a call has to be an object. */
export function inputOf(value: unknown): Record<string, unknown> {
  if (value === undefined || value === null) return {};
  const isObject = typeof value === "object" && !Array.isArray(value);
  return isObject ? (value as Record<string, unknown>) : { value };
}
